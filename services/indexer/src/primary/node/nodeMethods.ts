import type { Json } from '@firn/codec'
import { type MethodTable, Schema } from '@firn/rpc'

const block = Schema.struct({ block: Schema.json as Schema.Schema<Json.Json>, encoding: Schema.encoding })

/** Methods that return P-chain blocks by height. Every node serves them. */
export const PlatformBlocks = {
  'platform.getBlockByHeight': {
    params: Schema.struct({ height: Schema.u64, encoding: Schema.encoding }),
    result: block,
  },
  'platform.getHeight': { params: Schema.struct({}), result: Schema.struct({ height: Schema.u64 }) },
} satisfies MethodTable

/** The upgrade times of a node. Their members depend on its release. */
export const NodeUpgrades = {
  'info.upgrades': { params: Schema.struct({}), result: Schema.json as Schema.Schema<Json.Json> },
} satisfies MethodTable

/** Methods of the EVM node. Their parameters are a list. */
export const EvmBlocks = {
  eth_blockNumber: { params: Schema.array(Schema.string), result: Schema.string },
  debug_getRawBlock: { params: Schema.array(Schema.string), result: Schema.hex() },
} satisfies MethodTable
