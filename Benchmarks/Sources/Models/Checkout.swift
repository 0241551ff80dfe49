import Simulator
import TwinPrograms

extension TwinProgram {
  /// A cart is paid for by card: the goods are reserved, the card is charged, the order is placed.
  static let checkout = TwinProgram(
    "checkout", "a main-actor model, a bank, a shop, polling, retries",
    bug:
      "The key of a charge is made of the total: when that changes, a charge that may have arrived is made again.",
    deviations: 4
  ) { simulation, twin in
    let bank = FakeBank()
    let shop = FakeShop()
    let model = await CheckoutModel(bank, shop, Cart(id: "cart 7", total: 4200), twin)
    simulation.always("the card is charged once") {
      let charged = bank.assumeIsolated { $0.charges.values.sorted() }
      return charged.count > 1 ? "the card was charged \(charged)" : nil
    }
    let prices = Task { @MainActor in
      for _ in 0..<6 {
        try await Task.sleep(for: .milliseconds(700))
        await model.updatePrice()
      }
    }
    let user = Task { @MainActor in
      try await Task.sleep(for: .milliseconds(simulation.choose(.delay, among: [500, 900])))
      await model.pay()
      for _ in 0..<2 where model.state == .failed {
        try await Task.sleep(for: .milliseconds(simulation.choose(.delay, among: [1500, 300, 800])))
        await model.pay()
      }
    }
    _ = await (user.result, prices.result)
  }
}

// MARK: - The app

private struct Cart: Sendable {
  let id: String
  /// In cents.
  var total: Int
}

private struct Receipt: Sendable {
  let key: String
  let amount: Int
}

private protocol Bank: Sendable {
  /// Charges the card. A key that has been charged is not charged again: its receipt comes.
  func charge(_ amount: Int, key: String) async throws -> Receipt
  /// The receipt of a key; nil if it was never charged.
  func receipt(for key: String) async throws -> Receipt?
}

private protocol Shop: Sendable {
  func total(of cart: Cart) async throws -> Int
  func reserve(_ cart: Cart) async throws
  func place(_ cart: Cart, _ receipt: Receipt) async throws
}

private struct Declined: Error {}

@MainActor private final class CheckoutModel {
  enum State: Sendable {
    case editing, paying, paid, failed
  }

  private(set) var state = State.editing
  private(set) var cart: Cart
  private(set) var message: String?
  /// A charge of which it is not known whether it has arrived.
  private var open: (key: String, amount: Int)?
  private var receipt: Receipt?
  private let bank: any Bank
  private let shop: any Shop
  private let twin: TwinProgram.Twin

  init(_ bank: any Bank, _ shop: any Shop, _ cart: Cart, _ twin: TwinProgram.Twin) {
    self.bank = bank
    self.shop = shop
    self.cart = cart
    self.twin = twin
  }

  /// Prices may change while the cart is open, but not while it is paid for.
  func updatePrice() async {
    guard state == .editing || state == .failed else { return }
    guard let total = try? await shop.total(of: cart) else { return }
    if state == .editing || state == .failed { cart.total = total }
  }

  func pay() async {
    guard state == .editing || state == .failed else { return }
    state = .paying
    message = nil
    do {
      try await shop.reserve(cart)
      let receipt = try await paid()
      try await shop.place(cart, receipt)
      state = .paid
    } catch is Declined {
      open = nil
      fail("The card was declined.")
    } catch {
      fail("That did not work. Try again.")
    }
  }

  private func fail(_ text: String) {
    state = .failed
    message = text
  }

  /// The receipt, of this attempt or of one before it.
  private func paid() async throws -> Receipt {
    if let receipt { return receipt }
    let (key, amount) = charge
    open = (key, amount)
    let receipt: Receipt
    do {
      receipt = try await chargeTwice(amount, key)
    } catch let error as Declined {
      throw error
    } catch {
      // The bank may have charged the card without our having been told.
      guard let found = try await bank.receipt(for: key) else { throw error }
      receipt = found
    }
    self.receipt = receipt
    open = nil
    return receipt
  }

  /// The key is the same for the same purchase, so that it is not paid for twice.
  private var charge: (key: String, amount: Int) {
    if twin == .mended, let open { return open }
    return ("\(cart.id)/\(cart.total)", cart.total)
  }

  private func chargeTwice(_ amount: Int, _ key: String) async throws -> Receipt {
    do {
      return try await bank.charge(amount, key: key)
    } catch let error as Declined {
      throw error
    } catch {
      try await Task.sleep(for: .milliseconds(200))
      return try await bank.charge(amount, key: key)
    }
  }
}

// MARK: - The world around it

private actor FakeBank: CallRecording, Bank {
  nonisolated let name = "bank"
  private let recorder = CallRecorder(
    "bank",
    [
      "charge": [
        FakeBehavior(
          delay: .oneOf(.milliseconds(300), .milliseconds(650)),
          replies: [.ok(), .status(402, named: "declined"), .offline], faults: [.noFault, .afterCommit])
      ],
      "receipt": [
        FakeBehavior(delay: .oneOf(.milliseconds(80), .milliseconds(400)), replies: [.ok(), .timedOut])
      ],
    ])
  private(set) var charges: [String: Int] = [:]

  nonisolated var calls: [CallRecord] { recorder.calls }

  nonisolated(nonsending) func charge(_ amount: Int, key: String) async throws -> Receipt {
    try await recorder.call("charge", .text(key)) { try await take(amount, key, $0) }
  }

  nonisolated(nonsending) func receipt(for key: String) async throws -> Receipt? {
    try await recorder.call("receipt", .text(key)) { try await find(key, $0) }
  }

  private func take(_ amount: Int, _ key: String, _ call: PendingCall) async throws -> Receipt {
    try await call.end {
      try await call.arrive()
      if let error = call.reply.error { throw error }
      // What was charged is not declined later.
      if call.reply.status == 402, charges[key] == nil { throw Declined() }
      if charges[key] == nil { charges[key] = amount }
      call.tookEffect("charged \(amount)")
      try call.failAfterEffect()
      return Receipt(key: key, amount: amount)
    }
  }

  private func find(_ key: String, _ call: PendingCall) async throws -> Receipt? {
    try await call.end {
      try await call.arrive()
      if let error = call.reply.error { throw error }
      return charges[key].map { Receipt(key: key, amount: $0) }
    }
  }
}

private struct FakeShop: Shop {
  private let network = FakeNetwork([
    "GET /total": [
      FakeBehavior(
        delay: .oneOf(.milliseconds(60), .milliseconds(350)),
        replies: [.ok("4200"), .ok("4700"), .ok("3900"), .offline])
    ],
    "POST /reserve": [
      FakeBehavior(delay: .oneOf(.milliseconds(50), .milliseconds(250)), replies: [.ok(), .offline])
    ],
    "POST /order": [FakeBehavior(delay: .milliseconds(90), replies: [.ok(), .offline])],
  ])

  func total(of cart: Cart) async throws -> Int {
    try await network.exchange("GET /total") { Int($0.reply.body) ?? cart.total }
  }

  func reserve(_ cart: Cart) async throws { try await network.exchange("POST /reserve") { _ in } }

  func place(_ cart: Cart, _ receipt: Receipt) async throws {
    try await network.exchange("POST /order") { _ in }
  }
}
