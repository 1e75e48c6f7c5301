import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { select } from './SignerSelection.ts'

const signers = (...weights: bigint[]) => weights.map((weight, index) => ({ index, weight }))

describe('select', () => {
  const cases = [
    { name: 'the heaviest first', of: signers(1n, 5n, 3n), target: 8n, chosen: [1, 2] },
    { name: 'validators of equal weight by index', of: signers(2n, 2n, 2n, 2n), target: 4n, chosen: [0, 1] },
    { name: 'no more validators than needed', of: signers(10n, 1n), target: 10n, chosen: [0] },
    { name: 'all when the target is out of reach', of: signers(1n, 2n), target: 100n, chosen: [0, 1] },
    { name: 'only validators with weight', of: signers(0n, 3n), target: 100n, chosen: [1] },
    { name: 'ascending indices', of: signers(1n, 2n, 3n, 4n), target: 9n, chosen: [1, 2, 3] },
  ]
  it.each(cases)('selects $name', ({ of, target, chosen }) => {
    expect(select(of, target)).toEqual(chosen)
  })

  it('selects the fewest signers that reach the target, whatever the order of the input', () => {
    const weights = fc.array(fc.bigInt({ min: 0n, max: 50n }), { minLength: 1, maxLength: 10 })
    fc.assert(
      fc.property(weights, fc.bigInt({ min: 1n, max: 200n }), (list, target) => {
        const of = signers(...list)
        const chosen = select(of, target)
        expect(select([...of].reverse(), target)).toEqual(chosen)
        const sum = (indices: number[]) => indices.reduce((total, index) => total + (list[index] ?? 0n), 0n)
        const all = list.reduce((total, weight) => total + weight, 0n)
        expect(sum(chosen) >= target || sum(chosen) === all).toBe(true)
        if (all >= target) expect(chosen.length).toBe(fewest(list, target))
      }),
    )
  })
})

/** Returns the smallest possible number of signers by trying every subset. */
function fewest(weights: readonly bigint[], target: bigint): number {
  let best = weights.length
  for (let subset = 0; subset < 2 ** weights.length; subset += 1) {
    const taken = weights.filter((_, index) => (subset >> index) & 1)
    if (taken.reduce((sum, weight) => sum + weight, 0n) >= target) best = Math.min(best, taken.length)
  }
  return best
}
