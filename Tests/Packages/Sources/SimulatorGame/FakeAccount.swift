/// An account with play money. It is no fake of a test: it is part of the game.
public actor FakeAccount {
  public private(set) var coins = 100

  public init() {}

  public func pay(_ price: Int) async {
    guard coins >= price else { return }
    await Task.yield()
    coins -= price
  }
}
