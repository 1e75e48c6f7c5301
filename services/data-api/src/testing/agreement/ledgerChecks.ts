import { type Body, byKey, type Checks, pick, type Reader, type Same, sampled, unique } from './Checks.ts'

/** A Primary Network whose answers are compared. */
export interface Network extends Reader {
  /** Name of the network in paths. */
  readonly network: string
  /** Time of the service's clock, in Unix seconds. */
  readonly now: number
}

/** The chains of a Primary Network. */
export const CHAINS = ['p-chain', 'x-chain', 'c-chain'] as const
/** Name of a chain in paths. */
export type Chain = (typeof CHAINS)[number]

/** Returns the elements of a list of a network. */
export function list(network: Network, path: string, member: string): Promise<readonly Body[]> {
  return network.all(`/v1/networks/${network.network}${path}`, member)
}

/** Returns an answer about a network. */
export function one(network: Network, path: string): Promise<Body> {
  return network.one(`/v1/networks/${network.network}${path}`)
}

/** Returns the transactions of a chain. */
export function transactions(network: Network, chain: Chain): Promise<readonly Body[]> {
  return list(network, `/blockchains/${chain}/transactions`, 'transactions')
}

/** Returns the ids of the transactions of a chain that show each address. */
async function shownIn(network: Network, chain: Chain): Promise<ReadonlyMap<string, readonly string[]>> {
  const shown = new Map<string, string[]>()
  for (const tx of await transactions(network, chain)) {
    const { txHash, consumedUtxos, emittedUtxos, evmInputs = [], evmOutputs = [], rewardAddresses = [] } = tx
    const owners = [...consumedUtxos, ...emittedUtxos].flatMap(({ addresses }) => addresses)
    const accounts = [
      ...evmInputs.map(({ fromAddress }: Body) => fromAddress),
      ...evmOutputs.map(({ toAddress }: Body) => toAddress),
    ]
    for (const address of unique([...owners, ...accounts, ...rewardAddresses]))
      shown.set(address, [...(shown.get(address) ?? []), txHash])
  }
  return shown
}

/** Returns the owners of outputs of all chains. */
export async function owners(network: Network): Promise<string[]> {
  const all = await Promise.all(CHAINS.map((chain) => transactions(network, chain)))
  return unique(
    all.flat().flatMap(({ emittedUtxos }) => emittedUtxos.flatMap((utxo: Body) => utxo.addresses)),
  )
}

/** Returns the outputs of an address on a chain, including spent ones. */
export function outputs(network: Network, chain: Chain, owner: string): Promise<readonly Body[]> {
  return list(network, `/blockchains/${chain}/utxos?addresses=${owner}&includeSpent=true`, 'utxos')
}

/** Number of addresses of a chain that are all compared. */
const FEW = 12

/** A validator also has an owner of the commission, which only its transaction names before it is paid. */
const HAS_COMMISSION = /^Add(Permissionless|AutoRenewed)ValidatorTx$/

/** Comparisons of blocks, transactions, outputs, subnets and blockchains. */
export const LEDGER_CHECKS: Checks<Network> = {
  listLatestPrimaryNetworkTransactions: async (network, same) => {
    for (const chain of CHAINS) {
      const path = `/blockchains/${chain}/transactions`
      for (const tx of sampled(await transactions(network, chain)))
        same(tx.txHash, tx, await one(network, `${path}/${tx.txHash}`))
      for (const [address, expected] of sampled([...(await shownIn(network, chain))], FEW)) {
        const found = await list(network, `${path}?addresses=${address}`, 'transactions')
        const named = found.filter(
          ({ txHash, txType }) => expected.includes(txHash) || !HAS_COMMISSION.test(txType),
        )
        same(
          `${chain} ${address}`,
          named.map(({ txHash }) => txHash),
          expected,
        )
      }
    }
  },
  getUtxosByAddresses: async (network, same) => {
    const all = (await Promise.all(CHAINS.map((chain) => transactions(network, chain)))).flat()
    const emitted = byKey(
      all.flatMap(({ emittedUtxos }) => emittedUtxos),
      'utxoId',
    )
    const compare = (utxo: Body) => {
      const own = emitted.get(utxo.utxoId)
      if (own === undefined) return
      // Outputs of the P-chain have these members in another form than outputs of the X- and C-chain.
      const { outputIndex, utxoType, ...members } = own
      same(utxo.utxoId, utxo, typeof outputIndex === typeof utxo.outputIndex ? own : members)
    }
    for (const utxo of all.flatMap(({ consumedUtxos }) => consumedUtxos)) compare(utxo)
    compareMakers(all, same)
    for (const owner of await owners(network)) {
      for (const chain of CHAINS) {
        const found = await outputs(network, chain, owner)
        for (const utxo of found) compare(utxo)
        const unspent = await list(network, `/blockchains/${chain}/utxos?addresses=${owner}`, 'utxos')
        same(
          `unspent ${owner}`,
          unspent.map(({ utxoId }) => utxoId).toSorted(),
          idsOf(found.filter(isUnspent)),
        )
      }
    }
  },
  listLatestPrimaryNetworkBlocks: async (network, same) => {
    for (const chain of CHAINS) {
      const path = `/blockchains/${chain}/blocks`
      for (const block of sampled(await list(network, path, 'blocks'))) {
        same(block.blockNumber, block, await one(network, `${path}/${block.blockNumber}`))
        same(block.blockHash, block, await one(network, `${path}/${block.blockHash}`))
      }
      await compareBlocks(network, chain, same)
    }
  },
  listPrimaryNetworkBlocksByNodeId: async (network, same) => {
    for (const chain of CHAINS) {
      const blocks = await list(network, `/blockchains/${chain}/blocks`, 'blocks')
      const proposers = Map.groupBy(blocks, ({ proposerDetails }) => proposerDetails?.proposerNodeId)
      for (const [nodeId, expected] of proposers)
        if (nodeId !== undefined)
          same(
            nodeId,
            await list(network, `/blockchains/${chain}/nodes/${nodeId}/blocks`, 'blocks'),
            expected,
          )
    }
  },
  listSubnets: async (network, same) => {
    const created = byKey(await transactions(network, 'p-chain'), 'txHash')
    for (const subnet of await list(network, '/subnets', 'subnets')) {
      const {
        subnetId,
        createBlockIndex,
        createBlockTimestamp,
        l1ConversionTransactionHash: conversion,
      } = subnet
      same(subnetId, subnet, await one(network, `/subnets/${subnetId}`))
      const made = { blockNumber: createBlockIndex, blockTimestamp: createBlockTimestamp }
      same(subnetId, made, created.get(subnetId))
      if (conversion !== undefined)
        same(subnetId, pick(subnet, 'subnetId', 'l1ValidatorManagerDetails'), created.get(conversion))
    }
  },
  listBlockchains: async (network, same) => {
    const created = byKey(await transactions(network, 'p-chain'), 'txHash')
    const subnets = await list(network, '/subnets', 'subnets')
    const blockchains = await list(network, '/blockchains', 'blockchains')
    for (const chain of [...blockchains, ...subnets.flatMap((subnet) => subnet.blockchains)]) {
      const { blockchainId, createBlockNumber: blockNumber, createBlockTimestamp: blockTimestamp } = chain
      same(blockchainId, chain, await one(network, `/blockchains/${blockchainId}`))
      if (blockNumber !== '-1') same(blockchainId, { blockNumber, blockTimestamp }, created.get(blockchainId))
    }
    for (const { subnetId, blockchains: own } of subnets) {
      const listed = blockchains.filter((chain) => chain.subnetId === subnetId)
      same(subnetId, own, listed)
    }
  },
  listLatestXChainVertices: async (network, same) => {
    const vertices = await list(network, '/blockchains/x-chain/vertices', 'vertices')
    for (const vertex of vertices)
      same(
        vertex.vertexHash,
        vertex,
        await one(network, `/blockchains/x-chain/vertices/${vertex.vertexHash}`),
      )
    const containing = (await transactions(network, 'x-chain')).flatMap(({ txHash, vertices: all = [] }) =>
      all.map(({ hash, height, timestamp }: Body) => ({ txHash, hash, height, timestamp })),
    )
    const contained = vertices.flatMap((vertex) =>
      vertex.transactions.map((txHash: string) => ({
        ...{
          txHash,
          hash: vertex.vertexHash,
          height: vertex.vertexHeight,
          timestamp: vertex.vertexTimestamp,
        },
      })),
    )
    same('transactions', sorted(containing), sorted(contained))
  },
  getVertexByHeight: async (network, same) => {
    const vertices = await list(network, '/blockchains/x-chain/vertices', 'vertices')
    for (const [height, expected] of Map.groupBy(vertices, ({ vertexHeight }) => vertexHeight)) {
      const path = `/blockchains/x-chain/vertices:listByHeight?vertexHeight=${height}`
      same(height, await list(network, path, 'vertices'), expected)
    }
  },
  listAssetTransactions: async (network, same) => {
    const all = await transactions(network, 'x-chain')
    const moved = (tx: Body) => [...tx.consumedUtxos, ...tx.emittedUtxos]
    const created = byKey(
      all.flatMap(({ assetCreated = [] }) => assetCreated),
      'assetId',
    )
    for (const assetId of unique(all.flatMap(moved).map((utxo) => utxo.assetId))) {
      const path = `/blockchains/x-chain/assets/${assetId}`
      const expected = all.filter((tx) => moved(tx).some((utxo) => utxo.assetId === assetId))
      same(assetId, await list(network, `${path}/transactions`, 'transactions'), expected)
      const details = await one(network, path)
      same(assetId, details, created.get(assetId) ?? details)
      for (const utxo of expected.flatMap(moved))
        if (utxo.assetId === assetId)
          same(assetId, pick(utxo.asset, 'name', 'symbol', 'denomination'), details)
    }
  },
}

const isUnspent = ({ consumingTxHash }: Body) => consumingTxHash === undefined
const idsOf = (utxos: readonly Body[]) => utxos.map(({ utxoId }) => utxoId).toSorted()
const sorted = (bodies: readonly Body[]) => bodies.map((body) => JSON.stringify(body)).toSorted()

/** Compares the block that each transaction names with the block. */
async function compareBlocks(network: Network, chain: Chain, same: Same): Promise<void> {
  for (const tx of await transactions(network, chain)) {
    if (tx.vertices !== undefined) continue
    const { txHash, blockNumber } = tx
    const block = await one(network, `/blockchains/${chain}/blocks/${blockNumber}`)
    same(txHash, pick(tx, 'blockHash', 'blockTimestamp'), block)
    if (blockNumber !== '0') same(txHash, true, block?.transactions.includes(txHash))
  }
}

/** Compares the blocks that outputs name with the blocks of the transactions that created and consumed them. */
function compareMakers(all: readonly Body[], same: Same): void {
  const txs = byKey(all, 'txHash')
  const rewards = new Map<string, string>(
    all.flatMap(({ rewardTxHash, emittedUtxos }) =>
      emittedUtxos
        .filter(({ rewardType }: Body) => rewardType !== undefined)
        .map(({ utxoId, txHash }: Body) => [utxoId, rewardTxHash ?? txHash]),
    ),
  )
  for (const utxo of all.flatMap(({ consumedUtxos, emittedUtxos }) => [...consumedUtxos, ...emittedUtxos])) {
    const { utxoId, consumingTxHash, consumingBlockNumber, consumingBlockTimestamp } = utxo
    const maker = txs.get(rewards.get(utxoId) ?? utxo.txHash)
    if (maker !== undefined) same(utxoId, pick(utxo, 'blockNumber', 'blockTimestamp'), maker)
    if (consumingTxHash === undefined) continue
    const consumed = { blockNumber: consumingBlockNumber, blockTimestamp: consumingBlockTimestamp }
    same(utxoId, consumed, txs.get(consumingTxHash))
  }
}
