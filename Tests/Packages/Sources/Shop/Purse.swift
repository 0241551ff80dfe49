/// A type whose method has the name of a function of the simulator's.
public actor Purse {
  public private(set) var spent = Duration.zero

  public init() {}

  public func spend(_ time: Duration) { spent += time }
  public func buy() { spend(.seconds(1)) }
}

/// A function with that name.
public func spend(_ time: Duration, from purse: Purse) async { await purse.spend(time) }
