import Mailing
import MailingFakes
import Scenarios
import Simulator

/// The greeter as scenario files know it, with a fake of the app's own in its world.
final class GreeterSystem: System {
  nonisolated static let checks = [SystemCheck(.singleFlight("send")), .settlesWithin]

  nonisolated static let descriptor = SystemDescriptor(
    "greeter", "Welcomes a customer, once.",
    variants: [
      .init("first", "Remembers whom it has welcomed when the mail is on its way."),
      .init("careful", "Remembers it before."),
    ],
    actions: [.init("welcome", "A customer signs up.")],
    fakes: [
      .init(
        "mailer", "The mail service.",
        operations: [.init("send", "Sends a letter.", faults: ["never", "before-commit", "after-commit"])])
    ],
    invariants: checks.map(\.descriptor))

  private let greeter: any Greeter

  init(_ variant: String, in world: World) throws {
    let mailer = world.fake("mailer") { FakeMailer($0, named: "mailer") }
    switch variant {
    case "first": greeter = FirstGreeter(mailer: mailer)
    case "careful": greeter = CarefulGreeter(mailer: mailer)
    default: throw UnknownName("variant", variant)
    }
  }

  func perform(_ action: UserAction) async throws { try await greeter.welcome("Ada") }

  var observed: [Observed] { [] }
}
