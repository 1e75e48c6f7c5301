import { Hex } from '@firn/codec'
import { type Snapshot, Transactions, Utxos, Vertices } from '@firn/store'
import type { Body } from '../../http/endpoint/Endpoint.ts'
import { accountAssets, atomicTransaction } from '../atomic/shape.ts'
import { type AvmFacts, avmTransaction } from '../avm/shape.ts'
import type { DataContext } from '../network/Context.ts'
import type { AssetDirectory } from '../shapes/AssetDirectory.ts'
import type { Surroundings } from '../shapes/PlatformUtxo.ts'
import type { ChainShapes } from './listTransactions.ts'
import { chainIds } from './platformShapes.ts'

/** Returns the formatters of X-chain transactions. */
export function avmShapes(context: DataContext, directory: AssetDirectory): ChainShapes {
  return { shapes: shapesOf(context, directory, avmTransaction, () => []) }
}

/** Returns the formatters of atomic C-chain transactions. */
export function atomicShapes(context: DataContext, directory: AssetDirectory): ChainShapes {
  const assets = ({ bytes }: Transactions.Details) => accountAssets(bytes)
  return { shapes: shapesOf(context, directory, atomicTransaction, assets) }
}

function shapesOf(
  context: DataContext,
  directory: AssetDirectory,
  shape: (facts: AvmFacts, around: Surroundings) => Body,
  furtherAssets: (listed: Transactions.Details) => readonly Uint8Array[],
): ChainShapes['shapes'] {
  const { constants, followsCChain } = context
  const ids = chainIds(context)
  return async (at, page) => {
    const facts = await factsOf(context, at, page)
    const assetIds = facts.flatMap(({ listed, consumed, unknown, made }) => [
      ...furtherAssets(listed),
      ...[...consumed, ...unknown, ...made].map(({ assetId }) => assetId),
    ])
    const around = { constants, followsCChain, chainIds: ids, assets: await directory.of(assetIds) }
    return facts.map((one) => shape(one, around))
  }
}

type VerticesOf = Awaited<ReturnType<typeof Vertices.ofTransactions>>

async function factsOf(
  context: DataContext,
  at: Snapshot,
  page: readonly Transactions.Details[],
): Promise<AvmFacts[]> {
  const { store } = context
  const ids = page.map(({ id }) => id)
  const { made, consumed } = await Utxos.touched(store, at, ids)
  const key = (id: Uint8Array | undefined) => (id === undefined ? '' : Hex.encodeBare(id))
  const byConsumer = Map.groupBy(consumed, (utxo) => key(utxo.consumed?.txId))
  const byMaker = Map.groupBy(made, ({ txId }) => key(txId))
  // Transactions of vertices are at height 0 of the X-chain, after the transactions of the genesis.
  const early = page.filter(({ height }) => height === 0n).map(({ ordinal }) => ordinal)
  const vertices: VerticesOf = early.length === 0 ? new Map() : await Vertices.ofTransactions(store, early)
  return page.map((listed) => ({
    listed,
    vertices: listed.height === 0n ? (vertices.get(listed.ordinal) ?? []) : [],
    consumed: byConsumer.get(key(listed.id)) ?? [],
    unknown: Transactions.unknownInputs(context, 'X', listed),
    made: byMaker.get(key(listed.id)) ?? [],
  }))
}
