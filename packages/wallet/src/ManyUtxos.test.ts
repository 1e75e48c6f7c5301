import { Address, type ChainAlias } from '@firn/codec'
import { createDevnet, type Devnet, FundedWallet } from '@firn/devnet'
import { PrivateKey, PublicKey } from '@firn/keys'
import { Limits, Signing } from '@firn/txs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { avax, createWallet, type ExportedPayment, type Step, type Wallet } from './index.ts'

const NETWORK_ID = 54_323
const START = Date.now()
const HELICON = BigInt(Math.floor(START / 1_000)) + 1_000_000n
const KEY = PrivateKey.decode(new Uint8Array(32).fill(77))
const payload = PublicKey.address(PrivateKey.publicKey(KEY))
const mine = (chain: ChainAlias) => Address.format({ chain, hrp: 'custom', payload })

/**
 * Milliseconds by which the network's time is ahead. Waiting for gas advances it, so that gas refills at once. Waiting for
 * acceptance does not, because how long that takes depends on the machine.
 */
let ahead = 0
const now = () => START + ahead
const clock = {
  now,
  async sleep(ms: number) {
    if (ms >= 1_000) ahead += ms
    await new Promise((resolve) => setTimeout(resolve, 5))
  },
}

let devnet: Devnet
let stranger: Wallet
let wallet: Wallet

/** Building a block of hundreds of inputs delays other answers, for which the wallet waits however long they take. */
const node = () => ({ url: devnet.rpcUrl, timeoutMs: 2 ** 31 - 1 })

beforeAll(async () => {
  devnet = await createDevnet({
    ...{ validators: 2, networkId: NETWORK_ID, heliconTime: HELICON },
    ...{ buildBlocks: true, buildDelayMs: 1, proposedLagMs: 0, now },
  })
  await devnet.warm()
  stranger = createWallet({ ...node(), keys: [FundedWallet.KEY], clock })
  wallet = createWallet({ ...node(), keys: [KEY], clock })
})

afterAll(async () => {
  await devnet?.close()
})

/** Outputs that fit into a transaction. */
const OUTPUTS = 750

/** Exports UTXOs of an amount to the wallet. */
async function exportMany(to: ChainAlias, count: number, amount: bigint): Promise<void> {
  for (let left = count; left > 0; left -= OUTPUTS) {
    const payment: ExportedPayment = { to: mine(to), amount }
    const payments = Array.from({ length: Math.min(left, OUTPUTS) }, () => payment)
    if (to === 'X') await stranger.p.exportTo({ chain: 'X', payments })
    else await stranger.x.exportTo({ chain: to, payments })
  }
}

/** Imports all to a chain, and returns the sizes of the transactions in inputs and bytes. */
async function importAll(to: ChainAlias, maxTransactions?: number) {
  const sizes: { readonly inputs: number; readonly bytes: number }[] = []
  const onStep = (step: Step) => {
    if (step.name !== 'signed') return
    const { unsignedTx } = step.draft
    const inputs = 'importedInputs' in unsignedTx ? unsignedTx.importedInputs.length : 0
    sizes.push({ inputs, bytes: Signing.encode(step.draft).length })
  }
  const most = maxTransactions === undefined ? {} : { maxTransactions }
  const result =
    to === 'P'
      ? await wallet.p.importFrom({ chain: 'X', ...most }, { onStep })
      : to === 'X'
        ? await wallet.x.importFrom({ chain: 'P', ...most }, { onStep })
        : await wallet.c.importFrom({ chain: 'X', ...most }, { onStep })
  return { ...result, sizes }
}

describe('a wallet to which a stranger exported 5,000 UTXOs of 1 nAVAX', () => {
  beforeAll(async () => {
    for (const chain of ['P', 'X', 'C'] as const) await exportMany(chain, 5_000, 1n)
  })

  const importsOne = async (chain: ChainAlias) => {
    await exportMany(chain, 1, avax('1'))
    const before = (await wallet.balance(chain)).available
    const { sizes, left } = await importAll(chain)
    const received = (await wallet.balance(chain)).available - before
    expect(received).toBeGreaterThan(avax('0.99'))
    expect(received).toBeLessThan(avax('1.001'))
    expect(sizes).toHaveLength(1)
    expect(sizes[0]?.bytes).toBeLessThanOrEqual(Number(Limits.MAX_BYTES))
    expect(left.map(({ reason }) => reason)).toEqual(['dust'])
    return sizes[0]?.inputs
  }

  test('imports 1 AVAX at the first try to P, X and C before Helicon', async () => {
    expect(await importsOne('P')).toBe(1)
    expect(await importsOne('X')).toBeGreaterThan(400)
    expect(await importsOne('C')).toBe(1)
    await expect(importAll('C')).rejects.toMatchObject({ code: 'TXS_DUST', details: { count: 5_000 } })
  })

  test('imports as many UTXOs to the C-chain at once as the mempool accepts before Helicon', async () => {
    await exportMany('C', 100, avax('0.02'))
    const { sizes } = await importAll('C')
    expect(sizes.map(({ inputs }) => inputs)).toEqual([82, 18])
  })

  test('does the same since Helicon', async () => {
    ahead += Number(HELICON) * 1_000 - now() + 60_000
    // Nodes switch the C-chain's mempool at its first block after the upgrade.
    expect(await importsOne('C')).toBe(1)
    expect(await importsOne('P')).toBe(1)
    expect(await importsOne('X')).toBeGreaterThan(400)
    await exportMany('C', 1_000, avax('0.02'))
    const { sizes } = await importAll('C')
    expect(sizes.map(({ inputs }) => inputs)).toEqual([909, 91])
    expect(sizes[0]?.bytes).toBeGreaterThan(140_000)
  })

  test('pays for other assets only if there is no AVAX to import, and imports them among small UTXOs', async () => {
    const payload = PublicKey.address(PrivateKey.publicKey(FundedWallet.KEY))
    const holder = { to: Address.format({ chain: 'X', hrp: 'custom', payload }), amount: 40n }
    const { assetId } = await stranger.x.createAsset({ name: 'unknown', symbol: 'UNKN', holders: [holder] })
    const payments = Array.from({ length: 40 }, () => ({ to: mine('P'), amount: 1n, assetId }))
    await stranger.x.exportTo({ chain: 'P', payments })
    await exportMany('P', 1, avax('0.001'))
    const first = await importAll('P')
    expect(first.sizes.map(({ inputs }) => inputs)).toEqual([1])
    expect(first.left).toEqual([
      { reason: 'asset', count: 40, amount: 0n },
      { reason: 'dust', count: 5_000, amount: 5_000n },
    ])
    const second = await importAll('P')
    expect(second.sizes.map(({ inputs }) => inputs)).toEqual([40])
    await wallet.p.exportTo({ chain: 'X', payments: [{ to: mine('X'), amount: 40n, assetId }] })
    expect((await importAll('X')).sizes).toHaveLength(1)
    await wallet.x.transfer({ to: mine('X'), amount: 40n, assetId })
  })
})

describe('a wallet with 3,000 UTXOs of 0.01 AVAX', () => {
  const own = createKey(78)

  beforeAll(async () => {
    for (let i = 0; i < 4; i++) {
      const to = own.address
      const payments = Array.from({ length: 750 }, () => ({ to, amount: avax('0.01') }))
      await stranger.p.transfer(payments)
    }
  })

  test('consolidates them, and then sends them', async () => {
    const rich = createWallet({ ...node(), keys: [own.key], clock })
    const whole = { to: mine('P'), amount: avax('29') }
    await expect(rich.p.transfer(whole)).rejects.toMatchObject({
      code: 'TXS_LIMIT',
      details: { fit: 337, worth: avax('3.37') },
    })
    const { txIds, left } = await rich.p.consolidate({})
    expect(txIds).toHaveLength(9)
    expect(left).toEqual([])
    await rich.p.transfer(whole)
    // The gas price depends on how fast the blocks follow each other.
    expect((await rich.balance('P')).available).toBeGreaterThan(avax('0.8'))
    // A stranger cannot prevent the next consolidation.
    const shared = { to: { threshold: 1, addresses: [own.address, mine('P')] }, amount: avax('0.5') }
    await stranger.p.transfer([shared, { to: own.address, amount: avax('0.01') }])
    expect((await rich.p.consolidate({})).left).toEqual([
      { reason: 'receiver', count: 1, amount: avax('0.5') },
    ])
  })
})

function createKey(byte: number) {
  const key = PrivateKey.decode(new Uint8Array(32).fill(byte))
  const own = PublicKey.address(PrivateKey.publicKey(key))
  return { key, address: Address.format({ chain: 'P', hrp: 'custom', payload: own }) }
}
