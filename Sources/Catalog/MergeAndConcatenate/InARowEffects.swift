/// Runs everything in a row, what was to be merged as well.
struct InARowEffects: EffectCombinators {
  func merge(_ effects: [DashboardEffect]) -> DashboardEffect {
    concatenate(effects)
  }

  func concatenate(_ effects: [DashboardEffect]) -> DashboardEffect {
    DashboardEffect { send in
      for effect in effects where !Task.isCancelled { await effect.run(send) }
    }
  }
}
