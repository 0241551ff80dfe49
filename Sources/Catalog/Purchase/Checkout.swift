import Foundation
import Observation

/// What is to be paid for.
struct Order: Hashable, Sendable {
  let number: Int
}

/// The proof that it was.
struct Receipt: Hashable, Sendable {
  let number: Int
}

/// Where orders are paid.
protocol Checkout: Sendable {
  /// Pays for the order. All who ask while it is being paid get the one receipt.
  ///
  /// - Throws: `CheckoutError.alreadyPaid` if it had been paid before.
  func pay(for order: Order) async throws -> Receipt
}

/// The errors of a checkout.
enum CheckoutError: Error, CustomStringConvertible {
  /// The order had been paid before; this is the receipt of then.
  case alreadyPaid(Receipt)

  var description: String {
    switch self {
    case .alreadyPaid(let receipt): "alreadyPaid, receipt \(receipt.number)"
    }
  }
}

/// What the page of an order shows.
enum OrderPage: Hashable, Sendable {
  case open, paying, paid(Receipt), failed
}

/// The model behind it.
@MainActor @Observable final class OrderModel {
  private(set) var page = OrderPage.open
  /// What the last payment has brought that was not cancelled.
  @ObservationIgnored private var settled = OrderPage.open
  @ObservationIgnored private var underWay = 0
  @ObservationIgnored private let order: Order
  @ObservationIgnored private let checkout: any Checkout

  init(_ order: Order, checkout: any Checkout) {
    self.order = order
    self.checkout = checkout
  }

  /// The user taps the button.
  func pay() async throws {
    page = .paying
    underWay += 1
    defer {
      underWay -= 1
      if underWay == 0 { page = settled }
    }
    do {
      settled = .paid(try await checkout.pay(for: order))
    } catch let error as CheckoutError {
      if case .alreadyPaid(let receipt) = error { settled = .paid(receipt) }
      throw error
    } catch {
      if !error.isCancellation, !isPaid { settled = .failed }
      throw error
    }
  }
}

extension OrderModel {
  /// What is paid stays paid.
  private var isPaid: Bool { if case .paid = settled { true } else { false } }
}

// MARK: - Seams

protocol PaymentService: Sendable {
  /// Charges the customer. A charge with a key that the service knows is the one that it has made already.
  func charge(for order: Order, key: UUID) async throws -> Receipt
  /// Takes the order's price out of the customer's credit, which the app keeps, at once.
  func takeCredit(for order: Order) -> Receipt
}
