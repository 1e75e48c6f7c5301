import { type Codec, Id, type Json } from '@firn/codec'
import { XChainGenesis } from '@firn/genesis'
import type { Schema } from '@firn/rpc'
import { AvmBlock, AvmTx, NodeJson } from '@firn/txs'
import type { NodeContext } from '../Context.ts'
import * as ByteText from '../internal/ByteText.ts'
import * as ChainLists from '../utxos/ChainLists.ts'

/** The assets of the X-chain's genesis, with their ids, aliases and transactions. */
export interface GenesisAssets {
  /** Asset ids by alias. The cb58 id of an asset counts as an alias. */
  readonly byName: ReadonlyMap<string, Uint8Array>
  /** Asset aliases by cb58 id. */
  readonly names: ReadonlyMap<string, string>
  readonly transactions: ReadonlyMap<string, AvmTx.AvmTx>
}

/** Returns the assets of a genesis. */
export function genesisAssets({ genesis }: Pick<NodeContext, 'genesis'>): GenesisAssets {
  const assets = XChainGenesis.decode(genesis.xChain.genesisData).txs.map((asset) => {
    const id = XChainGenesis.assetId(asset)
    return { id, text: Id.format(id), alias: asset.alias, tx: XChainGenesis.transaction(asset) }
  })
  return {
    byName: new Map(
      assets.flatMap(({ id, text, alias }): [string, Uint8Array][] => [
        [alias, id],
        [text, id],
      ]),
    ),
    names: new Map(assets.map(({ text, alias }) => [text, alias])),
    transactions: new Map(assets.map(({ text, tx }) => [text, tx])),
  }
}

/** Returns a block in the requested encoding: encoded bytes or the node's JSON. */
export function block(context: NodeContext, bytes: Uint8Array, encoding: Schema.Encoding): Json.Json {
  return encoding === 'json'
    ? AvmBlock.toJSON(AvmBlock.decode(bytes), jsonContext(context))
    : ByteText.encode(bytes, encoding)
}

/**
 * Returns a transaction in the requested encoding. For JSON, a genesis transaction is taken from `assets`, because
 * its bytes may exceed the codec's limits.
 */
export function transaction(
  context: NodeContext,
  assets: GenesisAssets,
  { id, bytes }: { readonly id: Uint8Array; readonly bytes: Uint8Array },
  encoding: Schema.Encoding,
): Json.Json {
  if (encoding !== 'json') return ByteText.encode(bytes, encoding)
  const tx = assets.transactions.get(Id.format(id)) ?? AvmTx.decode(bytes)
  return AvmTx.toJSON(tx, jsonContext(context))
}

/** Returns the context for conversions to JSON, which contains the primary alias of the X-chain. */
function jsonContext(context: NodeContext): Codec.JsonContext {
  const chain = context.chains.primaryAlias(ChainLists.idOf(context, 'X'))
  return NodeJson.context(context.constants.networkId, chain)
}
