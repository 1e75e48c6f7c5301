import type { Json } from '@firn/codec'
import type { MethodTable } from './MethodTable.ts'
import * as Schema from './Schema.ts'
import { IssueTx } from './UtxoMethods.ts'

const none = Schema.struct({})
const subnet = Schema.struct({ subnetID: Schema.optional(Schema.id) })
/**
 * A transaction or block: an encoded string, or an object for the encoding json. The string has a checksum
 * unless the encoding is hexnc.
 */
const rendered: Schema.Schema<Json.Json> = Schema.json
const heightResult = Schema.struct({ height: Schema.u64 })
const blockResult = Schema.struct({ block: rendered, encoding: Schema.encoding })

/** A subnet with its owners and its conversion. `conversionID` is the zero id unless the subnet is an L1. */
export const Subnet = Schema.struct({
  isPermissioned: Schema.boolean,
  controlKeys: Schema.array(Schema.address),
  threshold: Schema.u32,
  locktime: Schema.u64,
  subnetTransformationTxID: Schema.id,
  conversionID: Schema.id,
  managerChainID: Schema.id,
  managerAddress: Schema.nullable(Schema.hex()),
})

/**
 * The P-chain's methods for blocks, transactions, subnets and blockchains; part of {@link PlatformMethods}.
 */
export const PlatformChainMethods = {
  'platform.getHeight': { params: none, result: heightResult },
  'platform.getProposedHeight': { params: none, result: heightResult },
  'platform.getTimestamp': { params: none, result: Schema.struct({ timestamp: Schema.time }) },
  'platform.getBlock': {
    params: Schema.struct({ blockID: Schema.id, encoding: Schema.optional(Schema.encoding) }),
    result: blockResult,
  },
  'platform.getBlockByHeight': {
    params: Schema.struct({ height: Schema.u64, encoding: Schema.optional(Schema.encoding) }),
    result: blockResult,
  },
  'platform.getTx': {
    params: Schema.struct({ txID: Schema.id, encoding: Schema.optional(Schema.encoding) }),
    result: Schema.struct({ tx: rendered, encoding: Schema.encoding }),
  },
  'platform.getTxStatus': {
    params: Schema.struct({ txID: Schema.id }),
    result: Schema.struct({
      status: Schema.oneOf('Committed', 'Aborted', 'Processing', 'Dropped', 'Unknown'),
      reason: Schema.optional(Schema.string),
    }),
  },
  'platform.issueTx': IssueTx,
  'platform.getSubnet': { params: Schema.struct({ subnetID: Schema.id }), result: Subnet },
  /**
   * Returns all subnets, newest first and the Primary Network last. With `ids`, returns each known subnet once, in
   * that order, or null if all ids are unknown.
   */
  'platform.getSubnets': {
    params: Schema.struct({ ids: Schema.optional(Schema.array(Schema.id)) }),
    result: Schema.struct({
      subnets: Schema.nullable(
        Schema.array(
          Schema.struct({
            id: Schema.id,
            controlKeys: Schema.array(Schema.address),
            threshold: Schema.u32,
          }),
        ),
      ),
    }),
  },
  'platform.getBlockchains': {
    params: none,
    result: Schema.struct({
      blockchains: Schema.array(
        Schema.struct({ id: Schema.id, name: Schema.string, subnetID: Schema.id, vmID: Schema.id }),
      ),
    }),
  },
  /** Returns the status of a blockchain. `blockchainID` may be an alias that the node knows. */
  'platform.getBlockchainStatus': {
    params: Schema.struct({ blockchainID: Schema.string }),
    result: Schema.struct({
      status: Schema.oneOf('Validating', 'Created', 'Preferred', 'Syncing', 'Unknown'),
    }),
  },
  'platform.validatedBy': {
    params: Schema.struct({ blockchainID: Schema.id }),
    result: Schema.struct({ subnetID: Schema.id }),
  },
  'platform.validates': {
    params: subnet,
    result: Schema.struct({ blockchainIDs: Schema.array(Schema.id) }),
  },
} satisfies MethodTable
