/// An account as people write it the first time: each method is safe, and a deposit of two calls is not.
public actor Account {
  public struct Entry: Sendable {
    public let text: String
    public let balance: Int
  }

  public private(set) var balance: Int
  private var entries: [Entry] = []

  public init(balance: Int) {
    self.balance = balance
  }

  public func set(_ balance: Int, because text: String) {
    self.balance = balance
    entries.append(Entry(text: text, balance: balance))
  }

  public var last: Entry? { entries.last }
}

/// Two tasks deposit at once. Answers what the account holds then: 30, or less where an update is lost.
public func depositTwice() async -> Int {
  let account = Account(balance: 0)
  async let first: Void = deposit(10, "rent", in: account)
  async let second: Void = deposit(20, "wage", in: account)
  _ = await (first, second)
  return await account.last?.balance ?? 0
}

private func deposit(_ amount: Int, _ text: String, in account: Account) async {
  let balance = await account.balance
  await account.set(balance + amount, because: text)
}
