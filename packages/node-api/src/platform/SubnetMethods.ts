import { Bytes, Hex, Id } from '@firn/codec'
import { goQuote } from '@firn/http'
import type { Records } from '@firn/ledger'
import type { PlatformMethods } from '@firn/rpc'
import { Blockchains, type Snapshot, Subnets, Transactions } from '@firn/store'
import type { Freshness, NodeContext } from '../Context.ts'
import * as Cb58Text from '../internal/Cb58Text.ts'
import { type Handlers, methodError } from '../Service.ts'
import * as Rendering from './Rendering.ts'

/** How long results may be cached. */
export const FRESHNESS = {
  'platform.getSubnet': 'snapshot',
  'platform.getSubnets': 'snapshot',
  'platform.getBlockchains': 'snapshot',
  'platform.getBlockchainStatus': 'snapshot',
  'platform.validatedBy': 'snapshot',
  'platform.validates': 'snapshot',
} as const satisfies Readonly<Record<string, Freshness>>

type Api = Pick<Handlers<typeof PlatformMethods>, keyof typeof FRESHNESS>

/** Returns the handlers for subnets and their blockchains. */
export function handlers(context: NodeContext): Api {
  const { store, snapshot } = context
  return {
    'platform.getSubnet': async ({ subnetID: subnetId }) => {
      if (Bytes.isZero(subnetId)) throw methodError("the primary network isn't a subnet")
      const at = await snapshot()
      const subnet = await Subnets.byId(store, at, subnetId)
      if (subnet !== undefined) return describe(context, subnet)
      throw methodError((await isTransaction(context, at, subnetId)) ? isNotSubnet(subnetId) : 'not found')
    },
    'platform.getSubnets': async ({ ids = [] }) => {
      const at = await snapshot()
      return { subnets: await (ids.length === 0 ? allSubnets(context, at) : someSubnets(context, at, ids)) }
    },
    'platform.getBlockchains': async () => {
      const chains = await Blockchains.all(store, await snapshot())
      return {
        blockchains: chains.map((chain) => ({
          id: chain.blockchainId,
          name: chain.name,
          subnetID: chain.subnetId,
          vmID: chain.vmId,
        })),
      }
    },
    'platform.getBlockchainStatus': async ({ blockchainID: blockchainId }) => {
      if (blockchainId === '') throw methodError("argument 'blockchainID' not given")
      return { status: await statusOf(context, blockchainId) }
    },
    'platform.validatedBy': async ({ blockchainID: blockchainId }) => ({
      subnetID: await subnetOf(context, blockchainId),
    }),
    'platform.validates': async ({ subnetID: subnetId = Id.EMPTY }) => {
      const at = await snapshot()
      if (!Bytes.isZero(subnetId)) await assertSubnet(context, at, subnetId)
      const chains = await Blockchains.bySubnet(store, at, subnetId)
      return { blockchainIDs: chains.map(({ blockchainId }) => blockchainId) }
    },
  }
}

function describe(
  context: NodeContext,
  { owner, transformation, conversion }: Records.Subnet,
): Awaited<ReturnType<Api['platform.getSubnet']>> {
  const { addresses: controlKeys, threshold, locktime } = Rendering.owner(context, owner)
  return {
    isPermissioned: transformation === undefined && conversion === undefined,
    controlKeys,
    threshold,
    locktime,
    subnetTransformationTxID: transformation?.txId ?? Id.EMPTY,
    conversionID: conversion?.conversionId ?? Id.EMPTY,
    managerChainID: conversion?.managerChainId ?? Id.EMPTY,
    managerAddress: conversion?.managerAddress ?? null,
  }
}

type Entry = NonNullable<Awaited<ReturnType<Api['platform.getSubnets']>>['subnets']>[number]

const PRIMARY_NETWORK: Entry = { id: Id.EMPTY, controlKeys: [], threshold: 0 }

/**
 * Returns a subnet as an entry of the response. The Primary Network and elastic subnets have no control keys.
 */
function entry(context: NodeContext, { subnetId: id, owner, transformation }: Records.Subnet): Entry {
  if (transformation !== undefined) return { id, controlKeys: [], threshold: 0 }
  const { addresses: controlKeys, threshold } = Rendering.owner(context, owner)
  return { id, controlKeys, threshold }
}

async function allSubnets(context: NodeContext, at: Snapshot): Promise<Entry[]> {
  const subnets = await Subnets.all(context.store, at)
  return [...subnets.map((subnet) => entry(context, subnet)), PRIMARY_NETWORK]
}

/**
 * Returns each requested subnet once, in the order of the request. Like the node, returns null if the list
 * would be empty, and fails if an id belongs to another transaction.
 */
async function someSubnets(
  context: NodeContext,
  at: Snapshot,
  ids: readonly Uint8Array[],
): Promise<Entry[] | null> {
  // A list may be long and repeat ids, so each one is looked up once, and only formatted for the error.
  const asked = new Map<string, Uint8Array>()
  for (const id of ids) asked.set(keyOf(id), id)
  const subnets = await Subnets.byIds(context.store, at, [...asked.values()])
  const known = new Map(subnets.map((subnet) => [keyOf(subnet.subnetId), entry(context, subnet)]))
  known.set(keyOf(Id.EMPTY), PRIMARY_NETWORK)
  const unknown = [...asked].filter(([key]) => !known.has(key))
  if (unknown.length > 0) {
    const unknownIds = unknown.map(([, id]) => id)
    const others = await Transactions.decidedIds(context.store, at, 'P', unknownIds)
    const keys = new Set(others.map(keyOf))
    const first = unknown.find(([key]) => keys.has(key))
    if (first !== undefined) throw methodError(isNotSubnet(first[1]))
  }
  const found = [...asked.keys()].flatMap((key) => known.get(key) ?? [])
  return found.length === 0 ? null : found
}

const keyOf = (id: Uint8Array): string => Hex.encodeBare(id)

type Status = Awaited<ReturnType<Api['platform.getBlockchainStatus']>>['status']

/**
 * Returns the status of a blockchain. An alias that this node knows belongs to a chain that the node runs.
 * Any other text must be a blockchain id.
 */
async function statusOf(context: NodeContext, text: string): Promise<Status> {
  const { store, chains, isValidating } = context
  const at = await context.snapshot()
  const run = chains.lookup(text)
  if (run !== undefined) {
    const chain = await Blockchains.byId(store, at, run.id)
    return chain !== undefined && (await isValidating(chain.subnetId, at)) ? 'Validating' : 'Syncing'
  }
  const id = Cb58Text.id(text)
  if (typeof id === 'string') throw methodError(`problem parsing blockchainID ${goQuote(text)}: ${id}`)
  return (await Blockchains.byId(store, at, id)) === undefined ? 'Unknown' : 'Created'
}

async function subnetOf(context: NodeContext, blockchainId: Uint8Array): Promise<Uint8Array> {
  const { store, snapshot } = context
  if (Bytes.isZero(blockchainId)) return Id.EMPTY
  const at = await snapshot()
  const chain = await Blockchains.byId(store, at, blockchainId)
  if (chain !== undefined) return chain.subnetId
  const text = `"${Id.format(blockchainId)}"`
  throw methodError(
    (await isTransaction(context, at, blockchainId))
      ? `${text} is not a blockchain`
      : `problem retrieving blockchain ${text}: not found`,
  )
}

async function assertSubnet(context: NodeContext, at: Snapshot, subnetId: Uint8Array): Promise<void> {
  if ((await Subnets.byId(context.store, at, subnetId)) !== undefined) return
  throw methodError(
    (await isTransaction(context, at, subnetId))
      ? isNotSubnet(subnetId)
      : `problem retrieving subnet "${Id.format(subnetId)}": not found`,
  )
}

async function isTransaction({ store }: NodeContext, at: Snapshot, id: Uint8Array): Promise<boolean> {
  return (await Transactions.statusById(store, at, 'P', id)) !== undefined
}

function isNotSubnet(id: Uint8Array): string {
  return `"${Id.format(id)}" is not a subnet`
}
