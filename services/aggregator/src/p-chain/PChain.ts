import { Bytes, NodeId } from '@firn/codec'
import { type Client, type InfoMethods, isRpcError, type PlatformMethods, type RpcError } from '@firn/rpc'
import type { ValidatorSet } from '@firn/warp'
import { AggregatorError } from '../errors/AggregatorError.ts'

/** The state of a subnet. `conversionId` (32 bytes) is all zeros unless the subnet is an L1. */
export interface Subnet {
  readonly isL1: boolean
  readonly conversionId: Uint8Array
}

/**
 * A current validator. Only L1 validators have a `balance` (nAVAX). All others have an `endTime` (Unix seconds), unless
 * their staking period is renewed automatically.
 */
export interface CurrentValidator {
  readonly nodeId: Uint8Array
  readonly weight: bigint
  readonly balance: bigint | undefined
  readonly endTime: bigint | undefined
}

/** The state of an L1 validation. Weight messages with a nonce below `minNonce` have been used, or can no longer be. */
export interface L1Validator {
  readonly weight: bigint
  readonly minNonce: bigint
}

/**
 * A peer of the queried node. `address` is the address that the peer announced, such as `203.0.113.7:9651`.
 */
export interface PeerAddress {
  readonly nodeId: Uint8Array
  readonly address: string
}

/**
 * The P-chain queries of the aggregator. A result of `undefined` means that the upstream responded but does
 * not know the item. Every other failure is an {@link AggregatorError} with the code `AGGREGATOR_UPSTREAM`.
 */
export interface PChain {
  networkId(signal?: AbortSignal): Promise<number>
  /** Returns the length of an epoch, in seconds. Nodes from before Granite do not return it. */
  epochDurationSeconds(signal?: AbortSignal): Promise<number | undefined>
  height(signal?: AbortSignal): Promise<bigint>
  /** Returns the height that block builders currently use, which is about 30 s behind the tip. */
  proposedHeight(signal?: AbortSignal): Promise<bigint>
  validatorsAt(
    subnetId: Uint8Array,
    height: bigint,
    signal?: AbortSignal,
  ): Promise<readonly ValidatorSet.Node[] | undefined>
  subnetOf(chainId: Uint8Array, signal?: AbortSignal): Promise<Uint8Array | undefined>
  subnet(subnetId: Uint8Array, signal?: AbortSignal): Promise<Subnet | undefined>
  currentValidators(subnetId: Uint8Array, signal?: AbortSignal): Promise<readonly CurrentValidator[]>
  /** Returns a validation that was not removed. */
  l1Validator(validationId: Uint8Array, signal?: AbortSignal): Promise<L1Validator | undefined>
  /**
   * Returns the current fee of an active L1 validator in nAVAX per second. Returns undefined if the upstream does not
   * support the query.
   */
  validatorFee(signal?: AbortSignal): Promise<bigint | undefined>
  /** Returns the addresses of the given nodes. Omits nodes to which the upstream is not connected. */
  peers(nodeIds: readonly Uint8Array[], signal?: AbortSignal): Promise<readonly PeerAddress[]>
}

/** The P-chain queries that the APIs of the node itself answer, and not its P-chain. */
type NodeQueries = Pick<PChain, 'networkId' | 'epochDurationSeconds' | 'peers'>

/** Creates the P-chain queries, which use the given JSON-RPC clients. */
export function createPChain(
  platform: Client<typeof PlatformMethods>,
  info: Client<typeof InfoMethods>,
): PChain {
  return { ...createPlatformQueries(platform, API), ...createNodeQueries(info) }
}

function createNodeQueries(info: Client<typeof InfoMethods>): NodeQueries {
  const { certain } = createCalls(API)
  return {
    networkId: async (signal) => (await certain(info.call('info.getNetworkID', {}, { signal }))).networkID,
    epochDurationSeconds: async (signal) => {
      const { graniteEpochDuration } = await certain(info.call('info.upgrades', {}, { signal }))
      return graniteEpochDuration === undefined ? undefined : graniteEpochDuration / 1e9
    },
    peers: async (nodeIds, signal) => {
      const { peers } = await certain(info.call('info.peers', { nodeIDs: nodeIds }, { signal }))
      return peers.map((peer) => ({ nodeId: peer.nodeID, address: peer.publicIP }))
    },
  }
}

/** Creates the queries that use the P-chain's methods. Errors name the upstream. */
export function createPlatformQueries(
  platform: Client<typeof PlatformMethods>,
  upstream: string,
): Omit<PChain, keyof NodeQueries> {
  const { certain, perhaps } = createCalls(upstream)
  return {
    height: async (signal) => (await certain(platform.call('platform.getHeight', {}, { signal }))).height,
    proposedHeight: async (signal) =>
      (await certain(platform.call('platform.getProposedHeight', {}, { signal }))).height,
    validatorsAt: async (subnetId, height, signal) => {
      const map = await perhaps(
        platform.call('platform.getValidatorsAt', { height, subnetID: subnetId }, { signal }),
      )
      if (map === undefined) return undefined
      return [...map].map(([nodeId, { publicKey, weight }]) => ({
        nodeId: NodeId.parse(nodeId),
        publicKey,
        weight,
      }))
    },
    subnetOf: async (blockchainId, signal) =>
      (await perhaps(platform.call('platform.validatedBy', { blockchainID: blockchainId }, { signal })))
        ?.subnetID,
    subnet: async (subnetId, signal) => {
      const subnet = await perhaps(platform.call('platform.getSubnet', { subnetID: subnetId }, { signal }))
      if (subnet === undefined) return undefined
      return { isL1: !Bytes.isZero(subnet.conversionID), conversionId: subnet.conversionID }
    },
    currentValidators: async (subnetId, signal) => {
      const { validators } = await certain(
        platform.call('platform.getCurrentValidators', { subnetID: subnetId }, { signal }),
      )
      return validators.map((one) => ({
        nodeId: one.nodeID,
        weight: one.weight,
        balance: 'balance' in one ? one.balance : undefined,
        // A validator with a next period is renewed when the current one ends.
        endTime: 'endTime' in one && !('nextPeriod' in one && one.nextPeriod) ? one.endTime : undefined,
      }))
    },
    l1Validator: async (validationId, signal) => {
      const params = { validationID: validationId }
      const found = await perhaps(platform.call('platform.getL1Validator', params, { signal }))
      return found && { weight: found.weight, minNonce: found.minNonce }
    },
    validatorFee: async (signal) =>
      (await perhaps(platform.call('platform.getValidatorFeeState', {}, { signal })))?.price,
  }
}

/**
 * Matches the errors with which a node says that it does not know a chain, a subnet, a height or a method. Nodes use
 * one code for all errors.
 */
const UNKNOWN = /\bnot found$|unfinalized height|is(n't| not) a subnet$|can't find (method|service) /

/** Returns whether a JSON-RPC error says that the upstream does not know the chain, subnet, height or method. */
export function isUnknown({ details }: RpcError): boolean {
  return UNKNOWN.test(details.rpcMessage ?? '')
}

const API = 'the P-chain API'

/** Returns functions that convert the failures of calls to errors that name the upstream. */
function createCalls(upstream: string) {
  return {
    /** Returns the result of a call. Any failure of the call becomes an upstream error. */
    certain: async <T>(call: Promise<T>): Promise<T> => {
      try {
        return await call
      } catch (cause) {
        throw upstreamError(upstream, cause)
      }
    },
    /** Returns the result of a call, or undefined if the upstream does not know the chain, subnet or height. */
    perhaps: async <T>(call: Promise<T>): Promise<T | undefined> => {
      try {
        return await call
      } catch (cause) {
        if (isRpcError(cause) && cause.code === 'RPC_REMOTE' && isUnknown(cause)) return undefined
        throw upstreamError(upstream, cause)
      }
    },
  }
}

/**
 * Creates an upstream error. It names the API by its host, because several APIs may be configured. The rest of the URL
 * may contain a key.
 */
function upstreamError(upstream: string, cause: unknown): AggregatorError {
  const reason = cause instanceof Error ? cause.message : String(cause)
  const url = isRpcError(cause) ? cause.details.url : undefined
  const name = url === undefined ? upstream : `${upstream} at ${new URL(url).host}`
  return new AggregatorError('AGGREGATOR_UPSTREAM', `${name} returned no usable response: ${reason}`, {
    cause,
  })
}
