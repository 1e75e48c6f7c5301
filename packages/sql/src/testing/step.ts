/**
 * Where looking at every item of a recording takes long, tests look at one of this many: four by default, or at each
 * one with `FIRN_ROUNDS=1`. For tests only.
 */
export const STEP = Math.max(1, Math.round(1 / Number(process.env['FIRN_ROUNDS'] ?? 0.25)))
