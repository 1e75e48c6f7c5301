import { Bytes, type ChainAlias, Hex } from '@firn/codec'
import { describe, expect, it } from 'vitest'
import { atomic, avm, type Issued, issued, keys, platform } from '../testing/intents.ts'
import type * as Coins from './Coins.ts'
import * as Signing from './Signing.ts'

type DraftVariants = (recorded: Issued, order: Coins.Order) => Generator<() => Signing.Draft>

/** Returns the drafts for all interpretations that can be built. */
function drafts(recorded: Issued, variants: DraftVariants, order: Coins.Order): Signing.Draft[] {
  const found: Signing.Draft[] = []
  let refusal: unknown
  for (const variant of variants(recorded, order)) {
    try {
      found.push(variant())
    } catch (error) {
      refusal = error
    }
  }
  if (found.length === 0) throw refusal
  return found
}

/** Returns why no interpretation of a recorded transaction can be built; undefined if one can. */
function refusalOf(recorded: Issued, variants: DraftVariants): unknown {
  try {
    drafts(recorded, variants, 'given')
    return undefined
  } catch (error) {
    return error
  }
}

const isBegin = (bytes: Uint8Array, begin: Uint8Array) => Bytes.equals(bytes.subarray(0, begin.length), begin)

/**
 * Returns the signed bytes of the draft that equals the recorded transaction, or of the first draft if none
 * does.
 */
function rebuild(recorded: Issued, variants: DraftVariants): Uint8Array {
  const all = drafts(recorded, variants, 'given')
  const draft = all.find((one) => isBegin(recorded.bytes, Signing.unsignedBytes(one))) ?? all[0]
  return Signing.encode(Signing.sign(draft as Signing.Draft, keys()))
}

const inputs = ({ unsignedTx }: Signing.Draft) => ('inputs' in unsignedTx ? unsignedTx.inputs.length : 0)

const CHAINS: readonly (readonly [ChainAlias, DraftVariants])[] = [
  ['P', platform],
  ['X', avm],
  ['C', atomic],
]
/** Matches names of transactions that nodes refused. Builders refuse those that are invalid by themselves. */
const REFUSED = /invalid|not permitted any more|forbidden|\(refused\)/
/** Number of recorded transactions that builders refuse. */
const REFUSALS = { P: 8, X: 3, C: 0 } as const
/** Codes with which builders refuse them. */
const CODES = /^TXS_(NAME|SYMBOL|MEMO|SIGNER|SHARES|TIME|PARAMETERS|ASSET_ID)$/

/** Matches names of transactions whose signers were chosen by hand instead of by the wallet. */
const BY_HAND = /one signature where two are needed/

for (const [chain, variants] of CHAINS) {
  const refused = issued(chain).filter(
    (recorded) =>
      REFUSED.test(recorded.name) &&
      !BY_HAND.test(recorded.name) &&
      refusalOf(recorded, variants) !== undefined,
  )
  const all = issued(chain)
    .filter((recorded) => !BY_HAND.test(recorded.name) && !refused.some(({ name }) => name === recorded.name))
    .map((recorded) => [recorded.name, recorded] as const)

  describe(`On ${chain}, from the UTXOs that a recorded transaction consumed`, () => {
    it.each(all)('rebuilds the recorded transaction byte for byte: %s', (_name, recorded) => {
      expect(Hex.encode(rebuild(recorded, variants))).toBe(Hex.encode(recorded.bytes))
    })

    it('refuses to build the recorded transactions that are invalid by themselves', () => {
      expect(refused).toHaveLength(REFUSALS[chain])
      for (const recorded of refused)
        expect(refusalOf(recorded, variants), recorded.name).toMatchObject({
          code: expect.stringMatching(CODES),
        })
    })

    // The node's wallet uses its UTXOs in no defined order, so it may have spent small UTXOs although a
    // single larger UTXO was sufficient.
    it('uses fewer inputs than the recorded transaction whenever the default order builds a different transaction', () => {
      const differing = all.filter(([, recorded]) => {
        const made = drafts(recorded, variants, 'largest-first')
        if (made.some((draft) => isBegin(recorded.bytes, Signing.unsignedBytes(draft)))) return false
        const given = drafts(recorded, variants, 'given').find((draft) =>
          isBegin(recorded.bytes, Signing.unsignedBytes(draft)),
        ) as Signing.Draft
        expect(Math.min(...made.map(inputs)), recorded.name).toBeLessThan(inputs(given))
        return true
      })
      expect(differing.length).toBeLessThan(all.length / 4)
    })
  })
}

it('reports too few signers before building anything', () => {
  const [recorded] = issued('P').filter(({ name }) => BY_HAND.test(name))
  expect(() => drafts(recorded as Issued, platform, 'given')).toThrow(
    expect.objectContaining({
      code: 'TXS_SIGNERS',
      details: expect.objectContaining({ threshold: 2, held: 1, missing: 1 }),
    }),
  )
})
