import { Bytes, type ChainAlias, Hex, Id, Json } from '@firn/codec'
import { LedgerState } from '@firn/ledger'
import * as Verify from '@firn/ledger/Verify'
import { createFakeClock } from '@firn/runtime/testing'
import { Recordings } from '@firn/store/testing'
import { AvmTx, PlatformTx, TxsError } from '@firn/txs'
import { describe, expect, it } from 'vitest'
import { chainExchanges } from '../testing/chainReplay.ts'
import { platformExchanges } from '../testing/platformReplay.ts'
import { createIssuer } from './Issuer.ts'
import type { IssuerOptions } from './IssuerOptions.ts'

/** Returns a transaction of the X-chain that spends its own output, or the output of another one. */
function tx(seed: number, spent = seed): Uint8Array {
  const input = { type: 'TransferInput', amount: 1n, signatureIndices: [0] } as const
  return AvmTx.encode({
    unsignedTx: {
      type: 'BaseTx',
      networkID: 1,
      blockchainID: Id.EMPTY,
      inputs: [{ txID: new Uint8Array(32).fill(1), outputIndex: spent, assetID: Id.EMPTY, input }],
      outputs: [],
      memo: Uint8Array.of(seed >> 8, seed),
    },
    credentials: [],
  })
}

const REFUSAL: Verify.Refusal = {
  step: 'credentials',
  error: new TxsError('TXS_UTXO', 'UTXO not found', { details: { inputId: 'abc', spender: 'input' } }),
  isHelicon: false,
}

/** Returns an issuer over a fake network, and what it pushed. */
function setUp(change: Partial<IssuerOptions> = {}) {
  const clock = createFakeClock()
  const pushed: string[] = []
  const accepted = new Set<string>()
  const network = { validators: 12, refusal: undefined as Verify.Refusal | undefined, verified: 0 }
  const issuer = createIssuer({
    async verify() {
      network.verified += 1
      return network.refusal
    },
    push(_chain, transactions) {
      if (network.validators > 0) for (const one of transactions) pushed.push(Hex.encodeBare(Id.hash(one)))
      return network.validators
    },
    isAccepted: async (_chain, txId) => accepted.has(Hex.encodeBare(txId)),
    clock,
    ...change,
  })
  const accept = (txId: Uint8Array) => accepted.add(Hex.encodeBare(txId))
  return { issuer, clock, pushed, network, accept }
}

describe('createIssuer', () => {
  it('pushes a transaction until it is accepted', async () => {
    const { issuer, clock, pushed, accept } = setUp()
    const txId = await issuer.issue('X', tx(1))
    expect(txId).toEqual(Id.hash(tx(1)))
    expect(issuer.status('X', txId)).toEqual({ status: 'Processing' })
    expect(issuer.status('P', txId)).toBeUndefined()
    await clock.advance(9_000)
    expect(pushed).toHaveLength(3)
    accept(txId)
    await clock.advance(4_000)
    expect(issuer.status('X', txId)).toBeUndefined()
    await clock.advance(60_000)
    expect(pushed).toHaveLength(3)
    await issuer.close()
  })

  it('looks acceptance up only after blocks and before another push', async () => {
    let lookups = 0
    let onBlock = () => {}
    const { issuer, clock, accept } = setUp({
      isAccepted: async () => {
        lookups += 1
        return false
      },
      onAdvance(listener) {
        onBlock = listener
        return () => {}
      },
    })
    accept(await issuer.issue('X', tx(1)))
    await clock.advance(3_500)
    expect(lookups).toBe(0)
    onBlock()
    await clock.advance(1_000)
    expect(lookups).toBe(1)
    await issuer.close()
  })

  it('drops a transaction that no block contains in time, and accepts it again', async () => {
    const { issuer, clock, pushed } = setUp({ limits: { expiryMs: 30_000 } })
    const txId = await issuer.issue('P', await validPlatformTx())
    await clock.advance(31_000)
    expect(issuer.status('P', txId)).toEqual({
      status: 'Dropped',
      reason: 'not seen in an accepted block within 30 s',
    })
    const before = pushed.length
    await issuer.issue('P', await validPlatformTx())
    expect([issuer.status('P', txId)?.status, pushed.length]).toEqual(['Processing', before + 1])
    await issuer.close()
  })

  it('drops a transaction that has become invalid, at the second look', async () => {
    const { issuer, clock, network } = setUp()
    const txId = await issuer.issue('X', tx(1))
    network.refusal = REFUSAL
    await clock.advance(5_000)
    expect(issuer.status('X', txId)).toEqual({ status: 'Processing' })
    await clock.advance(4_000)
    const reason = 'failed to verify transfer: failed to get utxo abc: not found'
    expect(issuer.status('X', txId)).toEqual({ status: 'Dropped', reason })
    await issuer.close()
  })

  it('pushes a transaction once that is issued many times at once, and hundreds of others', async () => {
    const { issuer, pushed, network } = setUp()
    const ids = await Promise.all(Array.from({ length: 300 }, () => issuer.issue('X', tx(1))))
    expect(new Set(ids.map(Id.format)).size).toBe(1)
    await issuer.issue('X', tx(1))
    expect([pushed.length, network.verified]).toEqual([1, 1])
    await Promise.all(Array.from({ length: 300 }, (_, i) => issuer.issue('X', tx(i + 2))))
    expect(new Set(pushed).size).toBe(301)
    await issuer.close()
  })

  it('rejects a transaction that spends the input of a pending one, is too large, or has no room', async () => {
    const { issuer } = setUp({ limits: { transactions: 2 } })
    await issuer.issue('X', tx(1))
    const id = Id.format(Id.hash(tx(2, 1)))
    await expect(issuer.issue('X', tx(2, 1))).rejects.toThrow(`tx conflicts with other tx: ${id}`)
    await issuer.issue('X', tx(3))
    await expect(issuer.issue('X', tx(4))).rejects.toThrow('mempool is full')
    const large = AvmTx.decode(tx(5))
    const bytes = AvmTx.encode({
      ...large,
      unsignedTx: { ...large.unsignedTx, memo: new Uint8Array(70_000) },
    })
    await expect(issuer.issue('X', bytes)).rejects.toThrow(/^tx too large: .* > max size \(65536\)$/)
    await issuer.close()
  })

  it("rejects a transaction of the P-chain in the words of that chain's mempool", async () => {
    const spending = (memo: number) => {
      const input = { txID: Id.EMPTY, outputIndex: 1, assetID: Id.EMPTY }
      return PlatformTx.encode({
        unsignedTx: {
          type: 'BaseTx',
          networkID: 1,
          blockchainID: Id.EMPTY,
          outputs: [],
          inputs: [{ ...input, input: { type: 'TransferInput', amount: 1n, signatureIndices: [] } }],
          memo: Uint8Array.of(memo),
        },
        credentials: [],
      })
    }
    const { issuer } = setUp({ limits: { transactions: 2 } })
    await issuer.issue('P', spending(1))
    await expect(issuer.issue('P', spending(2))).rejects.toThrow(
      /^couldn't issue tx: tx conflicts with other tx$/,
    )
    await issuer.issue('X', tx(1))
    await expect(issuer.issue('P', await validPlatformTx())).rejects.toThrow(
      /^couldn't issue tx: not enough gas$/,
    )
    await issuer.close()
  })

  it('rejects a transaction while no validator is connected', async () => {
    const { issuer, network } = setUp()
    network.validators = 0
    await expect(issuer.issue('X', tx(1))).rejects.toThrow('no validator is connected')
    expect(issuer.status('X', Id.hash(tx(1)))).toBeUndefined()
    network.validators = 1
    await issuer.issue('X', tx(1))
    await issuer.close()
  })

  it('keeps pushing while validators disconnect and lookups fail', async () => {
    let isDown = true
    const { issuer, clock, pushed, network } = setUp({
      isAccepted: async () => {
        if (isDown) throw new Error('database is down')
        return false
      },
    })
    await issuer.issue('X', tx(1))
    network.validators = 0
    await clock.advance(20_000)
    expect(pushed).toHaveLength(1)
    isDown = false
    network.validators = 3
    await clock.advance(5_000)
    expect(pushed.length).toBeGreaterThan(1)
    await issuer.close()
  })
})

type Exchange = { readonly request: string; readonly response?: string }

/** The transactions of recorded issueTx calls, with the error text that the node answered. */
function issued(exchanges: readonly Exchange[]) {
  return exchanges.flatMap(({ request, response = '' }) => {
    const { method, params } = Json.parse(request) as {
      method: string
      params?: { tx: string; encoding: string }
    }
    if (!method.endsWith('.issueTx') || params?.encoding !== 'hexnc') return []
    const { error } = Json.parse(response) as { error: { message: string } }
    return [{ bytes: Hex.decode(params.tx as `0x${string}`), message: error.message }]
  })
}

const recording = Recordings.load('local')
const state = LedgerState.create(recording.genesis, recording.constants)
const last = [...Recordings.follow(state, recording.chains)].length
const now = LedgerState.tip(state, 'P').time + 60n
const UNCHECKED =
  /verifying warp messages|staking period is|weight of this validator|insufficient delegation fee/
const withoutClock = (text: string) => text.replace(/currently \d+$/, 'currently …')

async function validPlatformTx(): Promise<Uint8Array> {
  const [first] = issued(platformExchanges('platform_more'))
  return (first ?? expect.unreachable()).bytes
}

describe('the texts of refusals', () => {
  const check = (chain: ChainAlias, bytes: Uint8Array) =>
    Promise.resolve(Verify.refusal(state, chain, bytes, now))

  it.each([
    ['P', 'platform_more', platformExchanges('platform_more'), 10],
    ['X', 'avm_more', chainExchanges('avm_more'), 5],
  ] as const)(
    'returns the responses of the recorded %s-chain in %s',
    async (chain, _file, exchanges, count) => {
      expect(last).toBeGreaterThan(0)
      const { issuer } = setUp({ verify: check })
      // Signatures of Warp messages are not checked here, nor limits that networks other than mainnet and fuji configure.
      const all = issued(exchanges).filter(({ message }) => !UNCHECKED.test(message))
      expect(all).toHaveLength(count)
      for (const { bytes, message } of all) {
        const refused = await issuer.issue(chain, bytes).then(
          () => 'no error',
          (error: Error) => error.message,
        )
        expect(withoutClock(refused), Id.format(Id.hash(bytes))).toBe(withoutClock(message))
      }
      await issuer.close()
    },
  )

  it('returns a shorter reason at the second issue on the P-chain, and reports it by the status', async () => {
    const { issuer } = setUp({ verify: check })
    const bytes = await validPlatformTx()
    const reason = `failed execution: standard tx ${Id.format(Id.hash(bytes))} failed execution: `
    await expect(issuer.issue('P', bytes)).rejects.toThrow(
      `couldn't issue tx: failed verification: ${reason}`,
    )
    await expect(issuer.issue('P', bytes)).rejects.toThrow(`couldn't issue tx: ${reason}`)
    expect(issuer.status('P', Id.hash(bytes))).toMatchObject({ status: 'Dropped' })
    await issuer.close()
  })

  it.each([
    ['nothing', () => new Uint8Array(), "couldn't unpack codec version"],
    [
      'another codec version',
      (bytes: Uint8Array) => Uint8Array.from(bytes).fill(9, 0, 2),
      'unknown codec version',
    ],
    [
      'truncated bytes',
      (bytes: Uint8Array) => bytes.subarray(0, -1),
      'packer has insufficient length for input',
    ],
    [
      'trailing bytes',
      (bytes: Uint8Array) => Bytes.concat(bytes, Uint8Array.of(0)),
      'trailing buffer space: read LENGTH provided MORE',
    ],
  ])('returns the texts of the node for %s', async (_name, change, words) => {
    const { issuer } = setUp({ verify: check })
    const bytes = await validPlatformTx()
    const text = words.replace('LENGTH', `${bytes.length}`).replace('MORE', `${bytes.length + 1}`)
    await expect(issuer.issue('P', change(bytes))).rejects.toThrow(
      `couldn't parse tx: couldn't parse tx: ${text}`,
    )
    await expect(issuer.issue('C', change(bytes))).rejects.toThrow('problem parsing transaction: ')
    await issuer.close()
  })
})
