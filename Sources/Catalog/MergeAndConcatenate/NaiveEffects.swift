/// Gives each merged effect a task of its own and waits for all of them.
struct NaiveEffects: EffectCombinators {
  func merge(_ effects: [DashboardEffect]) -> DashboardEffect {
    DashboardEffect { send in
      let tasks = effects.map { effect in
        Task { await effect.run(send) }
      }
      for task in tasks { await task.value }
    }
  }

  func concatenate(_ effects: [DashboardEffect]) -> DashboardEffect {
    DashboardEffect { send in
      for effect in effects { await effect.run(send) }
    }
  }
}
