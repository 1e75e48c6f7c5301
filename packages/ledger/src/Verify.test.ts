import { Bytes, Hex, Id } from '@firn/codec'
import { type AvmTx, Signing, type UnsignedTx } from '@firn/txs'
import { expect, it } from 'vitest'
import * as Ledger from './Ledger.ts'
import * as LedgerState from './LedgerState.ts'
import { load } from './testing/recordings.ts'
import * as Verify from './Verify.ts'

const KEY = Hex.decode('0x56289e99c94b6912bfc12adc093c9b51124f0dc54ac7a766b2bc5ccf558d8027')
const ADDRESS = Hex.decode('0x3cb7d3842e8cee6a0ebd09f1fe884f6861e1b29c')
const FEE = 1_000_000n
const { genesis, constants } = load('local')
const state = LedgerState.create(genesis, constants)
const now = LedgerState.tip(state, 'P').time + 10n

/** Returns the genesis' unlocked UTXOs of the test key on a chain. */
function utxosOf(chain: 'P' | 'X') {
  return [...state.tables.utxo.ordered()].flatMap((record) => {
    const { output } = record.utxo
    const isOwn = record.chain === chain && output.type === 'TransferOutput' && output.locktime <= now
    return isOwn && output.addresses.some((one) => Bytes.equals(one, ADDRESS))
      ? [{ ...record.utxo, output }]
      : []
  })
}

type Change = Partial<UnsignedTx.Of<'BaseTx'>> & { readonly fee?: bigint }

/** Returns a transfer on a chain that spends the first UTXO of the test key, with changes. */
function transfer(chain: 'P' | 'X', { fee = FEE, ...change }: Change = {}): UnsignedTx.Of<'BaseTx'> {
  const [utxo] = utxosOf(chain)
  if (utxo === undefined) throw new Error('the genesis has no UTXO for the test')
  const { output, ...source } = utxo
  return {
    type: 'BaseTx',
    networkID: genesis.networkId,
    blockchainID: state.rules.chainIds[chain],
    inputs: [
      {
        ...source,
        input: { type: 'TransferInput', amount: output.amount, signatureIndices: [0] },
      },
    ],
    outputs: [{ assetID: source.assetID, output: { ...output, amount: output.amount - fee } }],
    memo: new Uint8Array(),
    ...change,
  }
}

function sign(chain: 'P' | 'X', tx: UnsignedTx.Of<'BaseTx'>): Uint8Array {
  const known = { utxos: utxosOf(chain) }
  const draft = Signing.create(chain as 'P', tx as UnsignedTx.UnsignedTx & AvmTx.UnsignedTx, known)
  return Signing.encode(Signing.sign(draft, [KEY]))
}

const check = (chain: 'P' | 'X', bytes: Uint8Array) => {
  const refusal = Verify.refusal(state, chain, bytes, now)
  return refusal && [refusal.step, refusal.error.code, refusal.error.details]
}

it.each(['P', 'X'] as const)('accepts a valid transfer on the %s-chain', (chain) => {
  expect(check(chain, sign(chain, transfer(chain)))).toBeUndefined()
})

it('refuses bytes that are not a transaction', () => {
  const bytes = sign('P', transfer('P'))
  expect(check('P', bytes.subarray(0, -1))?.[0]).toBe('parse')
  expect(check('X', Bytes.concat(bytes, Uint8Array.of(0)))?.[0]).toBe('parse')
})

it.each(['P', 'X'] as const)('refuses a wrong signature on the %s-chain', (chain) => {
  const bytes = sign(chain, transfer(chain))
  // The last byte is the recovery id, so the signature is one by another key.
  bytes[bytes.length - 1] = (bytes.at(-1) as number) ^ 1
  expect(check(chain, bytes)?.slice(0, 2)).toEqual([
    chain === 'P' ? 'transfer' : 'credentials',
    'TXS_SIGNATURE',
  ])
})

it('refuses a fee below the current price', () => {
  expect(check('P', sign('P', transfer('P', { fee: 1n })))).toEqual([
    'spend',
    'TXS_FUNDS',
    { assetId: Id.format(genesis.avaxAssetId), missing: expect.any(BigInt), locktime: undefined },
  ])
  expect(check('X', sign('X', transfer('X', { fee: FEE - 1n })))?.slice(0, 2)).toEqual(['rules', 'TXS_FUNDS'])
})

it('refuses a memo on the P-chain since Durango', () => {
  const memo = new Uint8Array(9)
  expect(check('P', sign('P', transfer('P', { memo })))).toEqual([
    'rules',
    'TXS_MEMO',
    { maximum: 0, actual: 9 },
  ])
  expect(check('X', sign('X', transfer('X', { memo })))).toBeUndefined()
})

it('refuses another network, and an amount that the UTXO does not have', () => {
  expect(check('P', sign('P', transfer('P', { networkID: 1 })))?.slice(0, 2)).toEqual([
    'rules',
    'TXS_NETWORK_ID',
  ])
  const { inputs } = transfer('P')
  const more = inputs.map((input) => ({ ...input, input: { ...input.input, amount: 5n * FEE } }))
  const outputs = transfer('P', { fee: 0n }).outputs.slice(1)
  expect(
    check('P', sign('P', transfer('P', { inputs: more as typeof inputs, outputs })))?.slice(0, 2),
  ).toEqual(['transfer', 'TXS_UTXO'])
})

it.each(['P', 'X'] as const)('refuses a UTXO that the %s-chain has already spent', (chain) => {
  const spent = LedgerState.create(genesis, constants)
  for (const { chain: of, bytes } of load('local').blocks) {
    LedgerState.commit(spent, Ledger.apply(spent, of, bytes))
  }
  const refusal = Verify.refusal(spent, chain, sign(chain, transfer(chain)), LedgerState.tip(spent, 'P').time)
  const utxo = expect.stringMatching(/:\d+$/)
  const [step, more] = chain === 'P' ? ['spend', { source: 'P' }] : ['credentials', { spender: 'input' }]
  expect(refusal?.error.details).toMatchObject({ utxo, ...more })
  expect([refusal?.step, refusal?.error.code]).toEqual([step, 'TXS_UTXO'])
})
