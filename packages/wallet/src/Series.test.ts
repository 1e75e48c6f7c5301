import { Id } from '@firn/codec'
import { PrivateKey, PublicKey } from '@firn/keys'
import { RpcError } from '@firn/rpc'
import { type Coins, PlatformTx, Wallet as TxsWallet, UtxoId } from '@firn/txs'
import { describe, expect, it } from 'vitest'
import { createWallet, type Node, type Step } from './index.ts'

const KEY = Id.hash(Uint8Array.of(1))
const ADDRESS = PublicKey.address(PrivateKey.publicKey(KEY))
const [avaxAssetId, X, C] = [1, 2, 3].map((byte) => new Uint8Array(32).fill(byte)) as [
  Uint8Array,
  Uint8Array,
  Uint8Array,
]
const AVAX = 1_000_000_000n
const NOW = 1_800_000_000n

const utxo = (
  amount: bigint,
  outputIndex: number,
  locktime = 0n,
  assetId: Uint8Array = avaxAssetId,
): Coins.AnyUtxo => ({
  txID: new Uint8Array(32).fill(9),
  outputIndex,
  ...TxsWallet.out({ assetID: assetId, amount, owners: TxsWallet.soleOwner(ADDRESS, locktime) }),
})
const many = (count: number, amount: bigint, from = 0, assetId?: Uint8Array) =>
  Array.from({ length: count }, (_, i) => utxo(amount, from + i, 0n, assetId))

/** A node that never learns which UTXOs are spent, as one of several behind a load balancer. */
class StaleNode {
  readonly issued: Uint8Array[] = []
  readonly #utxos: readonly Coins.AnyUtxo[]
  /** Errors that the next attempts to issue a transaction end in. */
  refusals: Error[] = []
  gasPrice = 1n
  /** UTXOs of the wallet on the chain. */
  own: readonly Coins.AnyUtxo[] = []

  constructor(...utxos: readonly Coins.AnyUtxo[]) {
    this.#utxos = utxos
  }

  network: Node['network'] = async () => ({
    ...{ networkId: 1, hrp: 'avax', avaxAssetId },
    blockchainIds: { P: new Uint8Array(32), X, C },
  })

  async utxos(_chain: string, _addresses: unknown, source: string | undefined) {
    return source === undefined ? this.own : this.#utxos
  }

  async platformFees() {
    const weights = { bandwidth: 1n, dbRead: 1_000n, dbWrite: 1_000n, compute: 4n }
    return { weights, gasPrice: this.gasPrice }
  }

  async issue(_chain: string, bytes: Uint8Array) {
    const refusal = this.refusals.shift()
    if (refusal !== undefined) throw refusal
    this.issued.push(bytes)
    this.gasPrice += 1n
    return PlatformTx.id(bytes)
  }

  state = async () => ({ kind: 'accepted' }) as const

  /** Returns the indices of the UTXOs that each issued transaction imports. */
  imported(): number[][] {
    return this.issued.map((bytes) => {
      const { unsignedTx } = PlatformTx.decode(bytes)
      return unsignedTx.type === 'ImportTx' ? unsignedTx.importedInputs.map((one) => one.outputIndex) : []
    })
  }
}

/** A clock on which waiting takes no time. */
const clock = () => {
  let now = Number(NOW) * 1_000
  return {
    now: () => now,
    async sleep(ms: number) {
      now += ms
    },
  }
}

const walletOf = (node: StaleNode) =>
  createWallet({ node: node as unknown as Node, keys: [KEY], clock: clock() as never })

describe('importFrom', () => {
  it('makes as many transactions as it needs, each without the UTXOs of those before', async () => {
    const node = new StaleNode(...many(700, AVAX), ...many(50, 1n, 700), utxo(AVAX, 800, NOW + 5n))
    const { txId, txIds, left } = await walletOf(node).p.importFrom({ chain: 'C' })
    expect(node.imported().map(({ length }) => length)).toEqual([337, 337, 26])
    expect(new Set(node.imported().flat()).size).toBe(700)
    expect(txIds).toEqual(node.issued.map((bytes) => Id.format(PlatformTx.id(bytes))))
    expect(txId).toBe(txIds[0])
    expect(left).toEqual([
      { reason: 'dust', count: 50, amount: 50n },
      { reason: 'locked', count: 1, amount: AVAX },
    ])
  })

  it('stops at the most transactions that are wanted, and says how many UTXOs did not fit', async () => {
    const node = new StaleNode(...many(700, AVAX))
    const { txIds, left } = await walletOf(node).p.importFrom({ chain: 'C', maxTransactions: 1 })
    expect(txIds).toHaveLength(1)
    expect(left).toEqual([{ reason: 'limit', count: 363, amount: 363n * AVAX }])
  })

  it('leaves UTXOs that became worth less than the fee while the price rose', async () => {
    const node = new StaleNode(...many(337, AVAX), ...many(100, 4_000n, 400))
    const { txIds, left } = await walletOf(node).p.importFrom({ chain: 'C' })
    expect(txIds).toHaveLength(1)
    expect(left).toEqual([{ reason: 'dust', count: 100, amount: 400_000n }])
  })

  it('reports UTXOs below the fee as dust even if others are locked', async () => {
    const node = new StaleNode(...many(337, AVAX), ...many(100, 4_000n, 400), utxo(AVAX, 800, NOW + 5n))
    const { left } = await walletOf(node).p.importFrom({ chain: 'C' })
    expect(left).toEqual([
      { reason: 'locked', count: 1, amount: AVAX },
      { reason: 'dust', count: 100, amount: 400_000n },
    ])
  })

  it('never pays for other assets after an import of AVAX', async () => {
    const tokens = many(300, 5n, 800, new Uint8Array(32).fill(7))
    const node = new StaleNode(...many(337, AVAX), ...many(100, 4_000n, 400), ...tokens)
    node.own = [utxo(AVAX, 2_000)]
    const { txIds, left } = await walletOf(node).p.importFrom({ chain: 'C' })
    expect(txIds).toHaveLength(1)
    expect(left).toEqual([
      { reason: 'asset', count: 300, amount: 0n },
      { reason: 'dust', count: 100, amount: 400_000n },
    ])
    const others = new StaleNode(...tokens)
    others.own = node.own
    expect((await walletOf(others).p.importFrom({ chain: 'C' })).left).toEqual([])
    expect(others.imported().flat()).toHaveLength(300)
  })

  it('builds all transactions without issuing any', async () => {
    const node = new StaleNode(...many(400, AVAX))
    const { drafts, left } = await walletOf(node).p.build.importFrom({ chain: 'C' })
    expect(drafts).toHaveLength(2)
    expect(left).toEqual([])
    expect(node.issued).toEqual([])
    const ids = drafts.flatMap(({ unsignedTx }) =>
      unsignedTx.type === 'ImportTx' ? unsignedTx.importedInputs.map(UtxoId.key) : [],
    )
    expect(new Set(ids).size).toBe(400)
  })

  it('waits until the P-chain has enough gas for the next transaction', async () => {
    const node = new StaleNode(...many(2, AVAX))
    const reason = "couldn't issue tx: failed verification: tx exceeds current gas capacity: 9 > 5"
    node.refusals = [1, 2].map(() => new RpcError('RPC_REMOTE', reason))
    expect((await walletOf(node).p.importFrom({ chain: 'C' })).txIds).toHaveLength(1)
    node.refusals = Array.from({ length: 20 }, () => new RpcError('RPC_REMOTE', reason))
    const late = walletOf(node).p.importFrom({ chain: 'C' }, { timeoutMs: 5_000 })
    await expect(late).rejects.toThrow(/current gas capacity/)
    node.refusals = [new RpcError('RPC_REMOTE', 'something else')]
    await expect(walletOf(node).p.importFrom({ chain: 'C' })).rejects.toThrow('something else')
  })

  it('names the accepted transactions if a later one fails', async () => {
    const node = new StaleNode(...many(400, AVAX))
    const refusal = new RpcError('RPC_REMOTE', 'something else')
    const onStep = ({ name }: Step) => {
      if (name === 'accepted') node.refusals = [refusal]
    }
    const error = await walletOf(node)
      .p.importFrom({ chain: 'C' }, { onStep })
      .catch((cause) => cause)
    const txIds = node.issued.map((bytes) => Id.format(PlatformTx.id(bytes)))
    expect(txIds).toHaveLength(1)
    expect(error).toMatchObject({ code: 'WALLET_SERIES', details: { txIds }, cause: refusal })
    expect(error.message).toContain(`something else; accepted before it: ${txIds[0]}`)
  })

  it.each([0, 1.5, Number.NaN])('rejects %s transactions', async (maxTransactions) => {
    const wallet = walletOf(new StaleNode(...many(2, AVAX)))
    const work = wallet.p.importFrom({ chain: 'C', maxTransactions })
    await expect(work).rejects.toMatchObject({ code: 'WALLET_INPUT' })
  })

  it('says that there is nothing to import', async () => {
    const work = walletOf(new StaleNode()).p.importFrom({ chain: 'C' })
    await expect(work).rejects.toMatchObject({
      code: 'TXS_EMPTY',
      message: expect.stringContaining('nothing to import'),
    })
  })
})

describe('consolidate', () => {
  it('leaves UTXOs with several owners if no receiver is named', async () => {
    const node = new StaleNode()
    const stranger = new Uint8Array(20).fill(9)
    const shared = [1, 2].map((outputIndex) => ({
      ...{ txID: new Uint8Array(32).fill(8), outputIndex },
      ...TxsWallet.out({
        assetID: avaxAssetId,
        amount: AVAX,
        owners: TxsWallet.owners(1, [ADDRESS, stranger]),
      }),
    }))
    node.own = [...shared, ...many(338, AVAX)]
    const { txIds, left } = await walletOf(node).p.consolidate({})
    expect(txIds).toHaveLength(1)
    expect(left).toEqual([
      { reason: 'receiver', count: 2, amount: 2n * AVAX },
      { reason: 'limit', count: 1, amount: AVAX },
    ])
  })
})

describe('operations called from plain JavaScript', () => {
  const wallet = walletOf(new StaleNode(utxo(AVAX, 0)))

  it.each<[string, () => Promise<unknown>]>([
    ['no request', () => wallet.p.transfer(undefined as never)],
    ['a number as amount', () => wallet.p.transfer({ to: 'P-avax1', amount: 1.5 as never })],
    ['no message', () => wallet.p.setL1ValidatorWeight({ message: undefined as never })],
    ['a text as stake', () => wallet.p.delegate({ nodeId: ADDRESS, stake: '5' as never, end: NOW + 9n })],
    ['no end', () => wallet.p.delegate({ nodeId: ADDRESS, stake: AVAX, end: undefined as never })],
    [
      'a text as number of transactions',
      () => wallet.p.importFrom({ chain: 'C', maxTransactions: '5' as never }),
    ],
  ])('ends in a typed error: %s', async (_what, work) => {
    await expect(work()).rejects.toMatchObject({ code: expect.stringMatching(/^(WALLET|TXS|CODEC)_/) })
  })
})
