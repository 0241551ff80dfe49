import Foundation

extension LitmusTheme {
  /// Random numbers decide. A simulation gives a program the same ones in most schedules, and others in one of four.
  static let draws = LitmusTheme(
    "Random numbers",
    [
      Litmus(
        "one-coin",
        "A coin is tossed.",
        outcomes: ["heads", "tails"],
        draws: true,
        why: "Either side may be up."
      ) {
        Bool.random() ? "heads" : "tails"
      },
      Litmus(
        "coins-of-two-tasks",
        "Two tasks each toss a coin and note what they have got.",
        outcomes: Set(
          ["0", "1"].flatMap { one in ["0", "1"].flatMap { two in ["a\(one)b\(two)", "b\(two)a\(one)"] } }),
        draws: true,
        why: "Neither order depends on the coins, nor one coin on the other."
      ) {
        let board = Board()
        let toss = { @Sendable (name: String) in board.note(name + (Bool.random() ? "1" : "0")) }
        await together({ toss("a") }, { toss("b") })
        return board.text
      },
      Litmus(
        "identifiers-in-either-order",
        "Two identifiers are made, one after the other, and compared.",
        outcomes: ["ascending", "descending"],
        draws: true,
        why: "A `UUID` says nothing about when it was made, and no two are equal."
      ) {
        let (first, second) = (UUID().uuidString, UUID().uuidString)
        return first < second ? "ascending" : first > second ? "descending" : "equal"
      },
      Litmus(
        "numbers-that-decide-who-waits",
        "Two tasks each draw a number by the system's generator. An even number visits an actor before its note.",
        outcomes: ["e1e2", "e1o2", "e2e1", "e2o1", "o1e2", "o1o2", "o2e1", "o2o1"],
        draws: true,
        why: "The tasks take any order, whatever they have drawn."
      ) {
        let (cell, board) = (Cell(), Board())
        let draw = { @Sendable (name: String) async in
          var generator = SystemRandomNumberGenerator()
          let isEven = generator.next().isMultiple(of: 2)
          if isEven { await cell.add(1) }
          board.note((isEven ? "e" : "o") + name)
        }
        await together({ await draw("1") }, { await draw("2") })
        return board.text
      },
      Litmus(
        "shuffled-pair",
        "Two words are shuffled.",
        outcomes: ["12", "21"],
        draws: true,
        why: "Every order of the elements is equally likely."
      ) {
        ["1", "2"].shuffled().joined()
      },
    ])
}
