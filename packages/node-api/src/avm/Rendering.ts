import { type Codec, Id, type Json } from '@firn/codec'
import { XChainGenesis } from '@firn/genesis'
import type { Schema } from '@firn/rpc'
import { AvmBlock, AvmTx, NodeJson } from '@firn/txs'
import type { NodeContext } from '../Context.ts'
import * as ByteText from '../internal/ByteText.ts'
import * as ChainLists from '../utxos/ChainLists.ts'

/** What the X-chain begins with: names of assets, and their transactions by the text of their ids. */
export interface GenesisAssets {
  /** The ids by alias and by their own text, which is an alias like others. */
  readonly byName: ReadonlyMap<string, Uint8Array>
  /** The aliases by the text of the id. */
  readonly names: ReadonlyMap<string, string>
  readonly transactions: ReadonlyMap<string, AvmTx.AvmTx>
}

/** The assets of a genesis. */
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

/** A block in the encoding that is asked for: text, or the node's JSON. */
export function block(context: NodeContext, bytes: Uint8Array, encoding: Schema.Encoding): Json.Json {
  return encoding === 'json'
    ? AvmBlock.toJSON(AvmBlock.decode(bytes), jsonContext(context))
    : ByteText.encode(bytes, encoding)
}

/** A transaction likewise; one of the genesis may be larger than the codec of the chain takes. */
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

/** The names in JSON are those of this chain here. */
function jsonContext(context: NodeContext): Codec.JsonContext {
  const chain = context.chains.primaryAlias(ChainLists.idOf(context, 'X'))
  return NodeJson.context(context.constants.networkId, chain)
}
