import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { type ChainAlias, Hex, Id, isFirnError } from '@firn/codec'
import type { Step } from '@firn/ledger/Verify'
import { AtomicSyntax, AtomicTx, AvmSyntax, AvmTx, PlatformSyntax, PlatformTx } from '@firn/txs'
import { describe, expect, it } from 'vitest'
import * as Refusals from './Refusals.ts'

/** A case of the reference's vectors: a transaction, and the error of its parser or of its syntactic check. */
interface Case {
  readonly kind: string
  readonly name: string
  readonly bytes: `0x${string}`
  readonly networkID: number
  readonly error?: string
  readonly syntacticVerifyError?: string | null
}

function read(file: string): readonly Case[] {
  const url = new URL(`../../../txs/vectors/${file}.json.gz`, import.meta.url)
  return JSON.parse(gunzipSync(readFileSync(url)).toString()) as readonly Case[]
}

const [note] = read('platform-txs') as unknown as readonly Record<string, string>[]
const [avaxAssetId, xChainId, cChainId] = ['avaxAssetID', 'xChainID', 'cChainID'].map((name) =>
  Id.parse(note?.[name] ?? ''),
) as [Uint8Array, Uint8Array, Uint8Array]

const DECODE = { P: PlatformTx.decode, X: AvmTx.decode, C: AtomicTx.decode } as const

/** Checks the syntax of a transaction that decodes. */
function checkSyntax(chain: ChainAlias, bytes: Uint8Array, networkId: number): void {
  if (chain === 'P')
    PlatformSyntax.assertValid(PlatformTx.decode(bytes).unsignedTx, { networkId, avaxAssetId })
  else if (chain === 'X') {
    AvmSyntax.assertValid(AvmTx.decode(bytes), { networkId, avaxAssetId, blockchainId: xChainId })
  } else {
    const context = { networkId, avaxAssetId, xChainId, blockchainId: cChainId }
    AtomicSyntax.assertValid(AtomicTx.decode(bytes).unsignedTx, context)
  }
}

/** Returns the words for the error that a check throws. */
function wordsOf(chain: ChainAlias, bytes: Uint8Array, step: Step, check: () => void): string | undefined {
  try {
    check()
    return undefined
  } catch (error) {
    if (!isFirnError(error)) throw error
    return Refusals.reason(chain, bytes, { step, error, isHelicon: false })
  }
}

const FILES = [
  ['P', 'platform-txs', 'platform-txs-invalid'],
  ['X', 'avm-txs', 'avm-txs-invalid'],
  ['C', 'cchain-atomic-txs', undefined],
] as const

describe.each(FILES)(
  "Refusals.reason, against the reference's vectors of the %s-chain",
  (chain, valid, invalid) => {
    const all = [...read(valid), ...(invalid === undefined ? [] : read(invalid))]

    it('names what the parser rejects', () => {
      const cases = all.filter(({ kind, error }) => kind === 'decode' && error !== undefined)
      expect(cases.length).toBeGreaterThan(40)
      const found = cases.map(({ name, bytes: hex }) => {
        const bytes = Hex.decode(hex)
        return [name, wordsOf(chain, bytes, 'parse', () => DECODE[chain](bytes))]
      })
      const prefix = /^(?:couldn't parse tx: |failed to unmarshal atomic transaction \(pre-AP5\): )/
      expect(found).toEqual(cases.map(({ name, error = '' }) => [name, error.replace(prefix, '')]))
    })

    it('names what the syntactic check rejects', () => {
      const textOf = ({ kind, error, syntacticVerifyError: text }: Case) =>
        (kind === 'syntactic' ? error : text) ?? undefined
      const cases = all.filter((one) => textOf(one) !== undefined)
      expect(cases.length).toBeGreaterThan(20)
      const found = cases.map(({ name, bytes: hex, networkID: networkId }) => {
        const bytes = Hex.decode(hex)
        const words = wordsOf(chain, bytes, 'rules', () => checkSyntax(chain, bytes, networkId))
        return [name, words?.replace(/^failed execution: standard tx \w+ failed execution: /, '')]
      })
      expect(found).toEqual(cases.map((one) => [one.name, textOf(one)]))
    })
  },
)
