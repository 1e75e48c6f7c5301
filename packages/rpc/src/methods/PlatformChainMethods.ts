import type { Json } from '@firn/codec'
import type { MethodLayouts } from '../Layout.ts'
import * as Layout from '../Layout.ts'
import { IssueTx } from './UtxoMethods.ts'

const none = Layout.struct({})
const subnet = Layout.struct({ subnetID: Layout.optional(Layout.id) })
/**
 * A transaction or block: an encoded string, or an object for the encoding json. The string has a checksum
 * unless the encoding is hexnc.
 */
const rendered: Layout.Layout<Json.Json> = Layout.json
const heightResult = Layout.struct({ height: Layout.u64 })
const blockResult = Layout.struct({ block: rendered, encoding: Layout.encoding })

/** A subnet with its owners and its conversion. `conversionID` is the zero id unless the subnet is an L1. */
export const Subnet = Layout.struct({
  isPermissioned: Layout.boolean,
  controlKeys: Layout.array(Layout.address),
  threshold: Layout.u32,
  locktime: Layout.u64,
  subnetTransformationTxID: Layout.id,
  conversionID: Layout.id,
  managerChainID: Layout.id,
  managerAddress: Layout.nullable(Layout.hex()),
})

/**
 * The P-chain's methods for blocks, transactions, subnets and blockchains; part of {@link PlatformMethods}.
 */
export const PlatformChainMethods = {
  'platform.getHeight': { params: none, result: heightResult },
  'platform.getProposedHeight': { params: none, result: heightResult },
  'platform.getTimestamp': { params: none, result: Layout.struct({ timestamp: Layout.time }) },
  'platform.getBlock': {
    params: Layout.struct({ blockID: Layout.id, encoding: Layout.optional(Layout.encoding) }),
    result: blockResult,
  },
  'platform.getBlockByHeight': {
    params: Layout.struct({ height: Layout.u64, encoding: Layout.optional(Layout.encoding) }),
    result: blockResult,
  },
  'platform.getTx': {
    params: Layout.struct({ txID: Layout.id, encoding: Layout.optional(Layout.encoding) }),
    result: Layout.struct({ tx: rendered, encoding: Layout.encoding }),
  },
  'platform.getTxStatus': {
    params: Layout.struct({ txID: Layout.id }),
    result: Layout.struct({
      status: Layout.oneOf(['Committed', 'Aborted', 'Processing', 'Dropped', 'Unknown']),
      reason: Layout.optional(Layout.string),
    }),
  },
  'platform.issueTx': IssueTx,
  'platform.getSubnet': { params: Layout.struct({ subnetID: Layout.id }), result: Subnet },
  /**
   * Returns all subnets, newest first and the Primary Network last. With `ids`, returns each known subnet once, in
   * that order, or null if all ids are unknown.
   */
  'platform.getSubnets': {
    params: Layout.struct({ ids: Layout.optional(Layout.array(Layout.id)) }),
    result: Layout.struct({
      subnets: Layout.nullable(
        Layout.array(
          Layout.struct({
            id: Layout.id,
            controlKeys: Layout.array(Layout.address),
            threshold: Layout.u32,
          }),
        ),
      ),
    }),
  },
  'platform.getBlockchains': {
    params: none,
    result: Layout.struct({
      blockchains: Layout.array(
        Layout.struct({ id: Layout.id, name: Layout.string, subnetID: Layout.id, vmID: Layout.id }),
      ),
    }),
  },
  /** Returns the status of a blockchain. `blockchainID` may be an alias that the node knows. */
  'platform.getBlockchainStatus': {
    params: Layout.struct({ blockchainID: Layout.string }),
    result: Layout.struct({
      status: Layout.oneOf(['Validating', 'Created', 'Preferred', 'Syncing', 'Unknown']),
    }),
  },
  'platform.validatedBy': {
    params: Layout.struct({ blockchainID: Layout.id }),
    result: Layout.struct({ subnetID: Layout.id }),
  },
  'platform.validates': {
    params: subnet,
    result: Layout.struct({ blockchainIDs: Layout.array(Layout.id) }),
  },
} satisfies MethodLayouts
