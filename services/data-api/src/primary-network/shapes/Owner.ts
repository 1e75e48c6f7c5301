import { Bech32 } from '@firn/codec'
import type { Secp256k1 } from '@firn/txs'
import { Type } from 'typebox'
import type { Body } from '../../front/Endpoint.ts'

/** Formats an address in bech32 without a chain prefix, as in all answers of the Data API. */
export function address(bytes: Uint8Array, hrp: string): string {
  return Bech32.encode(hrp, bytes)
}

/** The owner of a subnet. */
export const SubnetOwnershipInfo = Type.Object({
  locktime: Type.Number(),
  threshold: Type.Number(),
  addresses: Type.Array(Type.String()),
})

/** Returns the owner of a subnet in the Data API's format. */
export function subnetOwnershipInfo(
  { locktime, threshold, addresses }: Secp256k1.OutputOwners,
  hrp: string,
): Body {
  return { locktime, threshold, addresses: addresses.map((one) => address(one, hrp)) }
}

/** The owner of an L1 validator's remaining balance, or the owner that may deactivate the validator. */
export const L1Owner = Type.Object({ addresses: Type.Array(Type.String()), threshold: Type.Number() })

/** Returns an owner of an L1 validator in the Data API's format. Such an owner has no locktime. */
export function l1Owner(
  owner: { readonly threshold: number; readonly addresses: readonly Uint8Array[] },
  hrp: string,
): Body {
  return { addresses: owner.addresses.map((one) => address(one, hrp)), threshold: owner.threshold }
}
