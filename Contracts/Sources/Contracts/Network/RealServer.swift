import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix

/// HTTP/1.1 on 127.0.0.1, by SwiftNIO.
struct RealServer {
  let base: URL
  private let listening: any Channel

  init(_ site: Site) async throws {
    listening = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.configureHTTPServerPipeline()
          try channel.pipeline.syncOperations.addHandler(Answering(site))
        }
      }
      .bind(host: "127.0.0.1", port: 0).get()
    let port = listening.localAddress?.port ?? 0
    guard let base = URL(string: "http://127.0.0.1:\(port)") else { throw URLError(.badURL) }
    self.base = base
  }

  func close() async throws { try await listening.close() }
}

/// Answers the requests of one connection.
private final class Answering: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  private let site: Site
  private var head: HTTPRequestHead?
  private var body = ""

  init(_ site: Site) {
    self.site = site
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let received): (head, body) = (received, "")
    case .body(let bytes): body += String(buffer: bytes)
    case .end:
      guard let head else { return }
      let request = "\(head.method) \(head.uri)"
      site.act(on: body.isEmpty ? request : "\(request) \(body)")
      let path = head.uri.components(separatedBy: "?")[0]
      let found = site.routes[request] ?? site.routes["\(head.method) \(path)"]
      let answer = (found ?? Site.Answer(status: 404, pieces: []))
        .asked(
          ifNoneMatch: head.headers.first(name: "If-None-Match"),
          authorization: head.headers.first(name: "Authorization"))
      after(answer.pause, context) {
        self.begin(answer, context)
        self.after(answer.pieces.count > 1 ? answer.pause : .zero, context) {
          self.send(answer.pieces[...], of: answer, context)
        }
      }
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

  private func begin(_ answer: Site.Answer, _ context: ChannelHandlerContext) {
    var headers = HTTPHeaders(answer.headers.map { ($0.key, $0.value) })
    let count = answer.pieces.reduce(answer.breaksOff ? 1 : 0) { $0 + $1.utf8.count }
    if answer.status != 304 { headers.add(name: "Content-Length", value: "\(count)") }
    let head = HTTPResponseHead(
      version: .http1_1, status: .init(statusCode: answer.status), headers: headers)
    context.writeAndFlush(wrapOutboundOut(.head(head)), promise: nil)
  }

  /// Sends a body piece by piece.
  private func send(
    _ pieces: ArraySlice<String>, of answer: Site.Answer, _ context: ChannelHandlerContext
  ) {
    if let piece = pieces.first {
      context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: piece)))), promise: nil)
    }
    let rest = pieces.dropFirst()
    if !rest.isEmpty { return after(answer.pause, context) { self.send(rest, of: answer, context) } }
    if answer.breaksOff { return context.close(promise: nil) }
    context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
  }

  private func after(
    _ pause: Duration, _ context: ChannelHandlerContext, _ work: @escaping () -> Void
  ) {
    guard pause > .zero else { return work() }
    context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(pause), work)
  }
}
