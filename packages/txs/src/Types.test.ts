import type { L1Message, SignedMessage, UnsignedMessage } from '@firn/warp'
import { describe, expectTypeOf, it } from 'vitest'
import type {
  AtomicTx,
  AvmTx,
  PlatformTx,
  PlatformUtxo,
  Secp256k1,
  Stakeable,
  StakerTx,
  UnsignedTx,
  UtxoId,
} from './index.ts'

type Owners = {
  readonly locktime: bigint
  readonly threshold: number
  readonly addresses: readonly Uint8Array[]
}
type Amount = Owners & { readonly amount: bigint }
/** One object type instead of an intersection; the types are compared exactly. */
type Flat<T> = { [K in keyof T]: T[K] }
type Transfer = Flat<{ readonly type: 'TransferOutput' } & Amount>
type Output = Transfer | { readonly type: 'LockOut'; readonly locktime: bigint; readonly output: Transfer }
type Out = { readonly assetID: Uint8Array; readonly output: Output }
type Utxo = { readonly txID: Uint8Array; readonly outputIndex: number }
type Validator = {
  readonly nodeID: Uint8Array
  readonly start: bigint
  readonly end: bigint
  readonly weight: bigint
}
type Owner = Flat<{ readonly type: 'OutputOwners' } & Owners>
type Base = Omit<UnsignedTx.Of<'BaseTx'>, 'type'>

/** `Name` if its member of the union is the flat object of all its members, and nothing else. */
type FlatMember<Union extends { readonly type: string }, Name> = Name extends Union['type']
  ? Extract<Union, { readonly type: Name }> extends infer Member
    ? (<T>() => T extends Member ? 1 : 2) extends <T>() => T extends Flat<Member> ? 1 : 2
      ? Name
      : never
    : never
  : never

/** Names of the members of a union that an editor shows as one object type each. */
type FlatNames<Union extends { readonly type: string }> = FlatMember<Union, Union['type']>

/** Types are equal only if both are one object type each, so an intersection of parts fails. */
describe('decoded types are flat', () => {
  it('of owners', () => expectTypeOf<Secp256k1.OutputOwners>().toEqualTypeOf<Owners>())

  it('of outputs', () => {
    expectTypeOf<Stakeable.Output>().toEqualTypeOf<Output>()
    expectTypeOf<Stakeable.Out>().toEqualTypeOf<Out>()
  })

  it('of UTXOs', () => {
    expectTypeOf<UtxoId.UtxoId>().toEqualTypeOf<Utxo>()
    expectTypeOf<PlatformUtxo.PlatformUtxo>().toEqualTypeOf<Flat<Utxo & Out>>()
  })

  it('of validators', () => expectTypeOf<StakerTx.Validator>().toEqualTypeOf<Validator>())

  it('of P-chain transactions', () => {
    expectTypeOf<PlatformTx.PlatformTx['unsignedTx']>().toEqualTypeOf<UnsignedTx.UnsignedTx>()
    expectTypeOf<UnsignedTx.Of<'CreateSubnetTx'>>().toEqualTypeOf<
      Flat<{ readonly type: 'CreateSubnetTx' } & Base & { readonly owner: Owner }>
    >()
    expectTypeOf<UnsignedTx.Of<'AddPermissionlessDelegatorTx'>>().toEqualTypeOf<
      Flat<
        { readonly type: 'AddPermissionlessDelegatorTx' } & Base & {
            readonly validator: Validator
            readonly subnetID: Uint8Array
            readonly stake: readonly Out[]
            readonly rewardsOwner: Owner
          }
      >
    >()
  })

  it('of every member of the unions of transactions', () => {
    expectTypeOf<FlatNames<UnsignedTx.UnsignedTx>>().toEqualTypeOf<UnsignedTx.UnsignedTx['type']>()
    expectTypeOf<FlatNames<AvmTx.UnsignedTx>>().toEqualTypeOf<AvmTx.UnsignedTx['type']>()
    expectTypeOf<FlatNames<AtomicTx.UnsignedTx>>().toEqualTypeOf<AtomicTx.UnsignedTx['type']>()
    expectTypeOf<FlatNames<L1Message.L1Message>>().toEqualTypeOf<L1Message.L1Message['type']>()
    // An intersection is not flat.
    type Nested = { readonly type: 'a' } & { readonly b: 1 }
    expectTypeOf<FlatNames<Nested | { readonly type: 'c' }>>().toEqualTypeOf<'c'>()
  })

  it('of X-chain operations', () => {
    expectTypeOf<Extract<AvmTx.Operation['operation'], { type: 'PropertyBurnOperation' }>>().toEqualTypeOf<{
      readonly type: 'PropertyBurnOperation'
      readonly signatureIndices: readonly number[]
    }>()
  })

  it('of atomic transactions', () => {
    expectTypeOf<AtomicTx.EvmInput>().toEqualTypeOf<{
      readonly address: Uint8Array
      readonly amount: bigint
      readonly assetID: Uint8Array
      readonly nonce: bigint
    }>()
  })

  it('of Warp messages', () => {
    type Unsigned = {
      readonly networkID: number
      readonly sourceChainID: Uint8Array
      readonly payload: Uint8Array
    }
    expectTypeOf<UnsignedMessage.UnsignedMessage>().toEqualTypeOf<Unsigned>()
    expectTypeOf<SignedMessage.SignedMessage>().toEqualTypeOf<{
      readonly unsigned: Unsigned
      readonly signature: {
        readonly type: 'BitSetSignature'
        readonly signers: Uint8Array
        readonly signature: Uint8Array
      }
    }>()
    expectTypeOf<L1Message.L1ValidatorWeight>().toEqualTypeOf<{
      readonly type: 'L1ValidatorWeight'
      readonly validationID: Uint8Array
      readonly nonce: bigint
      readonly weight: bigint
    }>()
  })
})
