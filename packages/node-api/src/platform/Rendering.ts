import type { Json } from '@firn/codec'
import { Id } from '@firn/codec'
import * as Codec from '@firn/codec/Codec'
import type { Schema } from '@firn/rpc'
import { NodeJson, PlatformBlock, PlatformTx } from '@firn/txs'
import type { AddressContext } from '../Addresses.ts'
import * as ByteText from '../internal/ByteText.ts'
import * as GoTime from '../internal/GoTime.ts'

/** Codec without the chain's size limit, which genesis transactions may exceed. */
const TRANSACTION = Codec.versioned(PlatformTx.Tx, { maxSize: 2 ** 31 - 1 })

const SECOND = 1_000_000_000n

/** Returns a block in the requested encoding: encoded bytes or the node's JSON. */
export function block(context: AddressContext, bytes: Uint8Array, encoding: Schema.Encoding): Json.Json {
  return encoding === 'json'
    ? PlatformBlock.toJSON(PlatformBlock.decode(bytes), jsonContext(context))
    : ByteText.encode(bytes, encoding)
}

/** Returns a transaction in the requested encoding. */
export function transaction(
  context: AddressContext,
  bytes: Uint8Array,
  encoding: Schema.Encoding,
): Json.Json {
  return encoding === 'json'
    ? PlatformTx.toJSON(TRANSACTION.decode(bytes), jsonContext(context))
    : ByteText.encode(bytes, encoding)
}

/** Formats an address for API results. */
export function address(context: AddressContext, payload: Uint8Array): Schema.AddressParts {
  return { chain: context.chains.primaryAlias(Id.EMPTY), hrp: context.constants.hrp, payload }
}

/** Formats owners for API results. Owners of L1 validators have no locktime. */
export function owner(
  context: AddressContext,
  owners: {
    readonly locktime?: bigint
    readonly threshold: number
    readonly addresses: readonly Uint8Array[]
  },
): { locktime: bigint; threshold: number; addresses: Schema.AddressParts[] } {
  const { locktime = 0n, threshold, addresses } = owners
  return { locktime, threshold, addresses: addresses.map((payload) => address(context, payload)) }
}

/** Formats a chain time (Unix seconds) for API results. */
export function time(seconds: bigint): string {
  return GoTime.format(seconds * SECOND)
}

function jsonContext({ chains, constants }: AddressContext): Codec.JsonContext {
  return NodeJson.context(constants.networkId, chains.primaryAlias(Id.EMPTY))
}
