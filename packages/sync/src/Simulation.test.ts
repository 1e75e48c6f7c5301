import { describe, expect, it } from 'vitest'
import { HOSTILE } from './testing/Lies.ts'
import * as Simulation from './testing/Simulation.ts'

const RUNS = Number(process.env['FIRN_SYNC_RUNS'] ?? 60)
const FIRST = Number(process.env['FIRN_SYNC_SEED'] ?? 1)
/** Runs in one test, so that a long form reports where it is. */
const CHUNK = 500
/** Number of runs in which every kind of misconduct is seen. */
const ENOUGH = 60

const totals: Simulation.Counts = new Map()
const firsts = Array.from({ length: Math.ceil(RUNS / CHUNK) }, (_, i) => FIRST + i * CHUNK)

describe('a sync of a network with faults', () => {
  it.each(firsts)('stores only right blocks and never stalls, from seed %i', async (first) => {
    const last = Math.min(first + CHUNK, FIRST + RUNS)
    for (let seed = first; seed < last; seed++) {
      const counts = await Simulation.run(seed)
      expect(counts.get('nodes')).toBeGreaterThanOrEqual(20)
      expect(counts.get('blocks')).toBeGreaterThanOrEqual(200)
      for (const [event, count] of counts) totals.set(event, (totals.get(event) ?? 0) + count)
    }
  })

  it('meets every kind of misconduct', ({ skip }) => {
    if (RUNS < ENOUGH) skip('too few runs')
    for (const kind of HOSTILE) expect(totals.get(`lie: ${kind}`) ?? 0, kind).toBeGreaterThan(0)
    for (const reason of ['oversized', 'wrong-container', 'signature', 'malformed']) {
      expect(totals.get(`dropped: ${reason}`) ?? 0, reason).toBeGreaterThan(0)
    }
    if (process.env['FIRN_SYNC_RUNS'] !== undefined) console.log(Simulation.formatTable(RUNS, totals))
  })
})
