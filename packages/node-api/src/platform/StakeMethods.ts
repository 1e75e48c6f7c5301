import { Bytes, Hex, Id } from '@firn/codec'
import * as Codec from '@firn/codec/Codec'
import type { Records } from '@firn/ledger'
import type { PlatformMethods, Schema } from '@firn/rpc'
import { Stakers, Subnets, Supplies } from '@firn/store'
import { Stakeable, type UnsignedTx } from '@firn/txs'
import * as Addresses from '../Addresses.ts'
import type { Freshness, NodeContext } from '../Context.ts'
import * as ByteText from '../internal/ByteText.ts'
import { type Handlers, methodError } from '../Service.ts'

/** How long results may be cached. */
export const FRESHNESS = {
  'platform.getCurrentSupply': 'snapshot',
  'platform.getMinStake': 'snapshot',
  'platform.getStakingAssetID': 'snapshot',
  'platform.getStake': 'snapshot',
} as const satisfies Readonly<Record<string, Freshness>>

/** Maximum number of addresses in one `getStake`. */
const MAX_ADDRESSES = 256
/** Maximum amount in results. Larger sums are reduced to this value. */
const MAX_AMOUNT = 2n ** 64n - 1n

/** A staked output as the API returns it: codec version, asset, output. */
const OUTPUT = Codec.versioned(Stakeable.Out)

type Api = Pick<Handlers<typeof PlatformMethods>, keyof typeof FRESHNESS>

/** Returns the handlers for stakes and staking limits. */
export function handlers(context: NodeContext): Api {
  const { store, snapshot, genesis, constants } = context
  return {
    'platform.getCurrentSupply': async ({ subnetID: subnetId = Id.EMPTY }) => {
      const at = await snapshot()
      const supply = await Supplies.bySubnet(store, at, subnetId)
      if (supply === undefined) throw methodError('fetching current supply failed: not found')
      return { supply, height: at.P.height }
    },
    'platform.getMinStake': async ({ subnetID: subnetId = Id.EMPTY }) => {
      const { minValidatorStake, minDelegatorStake } = Bytes.isZero(subnetId)
        ? constants.staking
        : await transformation(context, subnetId)
      return { minValidatorStake, minDelegatorStake }
    },
    'platform.getStakingAssetID': async ({ subnetID: subnetId = Id.EMPTY }) => {
      if (Bytes.isZero(subnetId)) return { assetID: genesis.avaxAssetId }
      return { assetID: (await transformation(context, subnetId)).assetID }
    },
    'platform.getStake': (params) => stake(context, params),
  }
}

async function transformation(
  { store, snapshot }: NodeContext,
  subnetId: Uint8Array,
): Promise<UnsignedTx.Of<'TransformSubnetTx'>> {
  const subnet = await Subnets.byId(store, await snapshot(), subnetId)
  if (subnet?.transformation === undefined)
    throw methodError(`failed fetching subnet transformation for ${Id.format(subnetId)}: not found`)
  return subnet.transformation.tx
}

async function stake(
  context: NodeContext,
  { addresses = [], validatorsOnly = false, encoding = 'hex' }: Parameters<Api['platform.getStake']>[0],
): Promise<Awaited<ReturnType<Api['platform.getStake']>>> {
  if (addresses.length > MAX_ADDRESSES)
    throw methodError(
      `${addresses.length} addresses provided but this method can take at most ${MAX_ADDRESSES}`,
    )
  const owners = Addresses.parseAll(addresses, Id.EMPTY, context)
  const outputs = await stakedBy(context, owners, validatorsOnly ? 'validators' : 'all')
  const stakeds = new Map<string, bigint>()
  for (const { assetID: assetId, output } of outputs) {
    const asset = Id.format(assetId)
    const sum = (stakeds.get(asset) ?? 0n) + Stakeable.unlocked(output).amount
    stakeds.set(asset, sum > MAX_AMOUNT ? MAX_AMOUNT : sum)
  }
  return {
    staked: stakeds.get(Id.format(context.genesis.avaxAssetId)) ?? 0n,
    stakeds,
    stakedOutputs: outputs.map((output) => encodeOutput(output, encoding)),
    encoding,
  }
}

/**
 * Returns the staked outputs of the addresses. Outputs are selected one by one, because a staker may stake
 * outputs of several owners.
 */
async function stakedBy(
  { store, snapshot }: NodeContext,
  addresses: readonly Uint8Array[],
  roles: Stakers.StakeQuery['roles'],
): Promise<Records.Staker['stake'][number][]> {
  if (addresses.length === 0) return []
  const owners = new Set(addresses.map(Hex.encode))
  const stakers = await Stakers.byAddresses(store, await snapshot(), { addresses, roles })
  return stakers.flatMap(({ stake }) =>
    stake.filter(({ output }) =>
      Stakeable.unlocked(output).addresses.some((owner) => owners.has(Hex.encode(owner))),
    ),
  )
}

function encodeOutput(output: Stakeable.Out, encoding: Schema.Encoding): string {
  if (encoding === 'json')
    throw methodError(
      `couldn't encode output ${Id.format(output.assetID)} as json: unsupported encoding in method`,
    )
  return ByteText.encode(OUTPUT.encode(output), encoding)
}
