import { excerpt, Hex } from '@firn/codec'
import { type Snapshot, Stakers } from '@firn/store'
import type { Body, Endpoint } from '../../http/endpoint/Endpoint.ts'
import { list } from '../../http/endpoint/List.ts'
import * as Parameter from '../../http/endpoint/Parameter.ts'
import * as Schema from '../../http/endpoint/Schema.ts'
import type { DataContext, Observation } from '../network/Context.ts'
import * as Names from '../network/Names.ts'
import { createNodeDirectory, nodeSelectors } from '../network/NodeDirectory.ts'
import { perBlockUnlessObserved, primarySnapshots } from '../network/PrimarySnapshots.ts'
import { Validator, validator } from '../shapes/Validator.ts'
import { validatorFacts } from './validatorFacts.ts'
import {
  activeFilters,
  createActiveValidators,
  isPlain,
  type Sorted,
  sortedActive,
  startOf,
} from './validatorFilters.ts'

const STATUSES = ['completed', 'active', 'pending', 'removed'] as const

const common = (context: DataContext) => ({
  tag: 'Primary Network',
  scope: 'data' as const,
  units: 20,
  version: perBlockUnlessObserved(context),
  pageSize: { fallback: 10, maximum: 100 },
  snapshots: primarySnapshots(context.store),
  tokens: context.tokens,
  responseName: 'ListValidatorDetailsResponse',
  response: { validators: Schema.list(Validator, 'Validations of the page') },
  keyOf: keyOfSorted,
  body: async (page: readonly Sorted[], { at }: { readonly at: Snapshot }) => ({
    validators: await shapes(context, at, page),
  }),
})

const status = Parameter.optional(Parameter.choice(STATUSES))
const sortOrder = Parameter.choice(['asc', 'desc'], 'desc')

/**
 * `GET /v1/networks/{network}/validators`: current, pending and past validators of the Primary Network and of
 * subnets that are not L1s, sorted by start time, latest first. Filters and sort orders that use properties
 * of active validators exclude pending and past validators.
 */
export function listValidators(context: DataContext): Endpoint {
  const { store } = context
  const nodes = createNodeDirectory(store)
  const actives = createActiveValidators(store)
  return list({
    ...common(context),
    path: '/v1/networks/{network}/validators',
    operationId: 'listValidators',
    summary: 'Current and past validators of the Primary Network and of subnets',
    pathParameters: { network: Names.network(context) },
    queryParameters: {
      nodeIds: Parameter.optional(nodeSelectors),
      subnetId: Parameter.optional(Names.id),
      validationStatus: status,
      sortOrder,
      ...activeFilters,
    },
    read: async ({ query, at, after, limit }) => {
      const { subnetId, validationStatus, sortOrder: order } = query
      const nodeIds = await nodes.find(at, query.nodeIds)
      const place = placeOfToken(after)
      if (isPlain(query)) {
        const selection = {
          subnetId,
          nodeIds,
          status: validationStatus,
          after: place,
          order,
          limit,
        }
        return plain(await Stakers.page(store, at, { role: 'validator', ...selection }))
      }
      if (validationStatus !== undefined && validationStatus !== 'active') {
        const expected = 'active, if filters or sort orders for active validators are used'
        throw Parameter.refused('validationStatus', expected, excerpt(validationStatus))
      }
      const observations = await observationsOf(context)
      const all = await actives(at, subnetId, nodeIds)
      const selection = { at, all, filters: query, order, after: place, limit, observations }
      return sortedActive(context, selection)
    },
  })
}

/**
 * `GET /v1/networks/{network}/validators/{nodeId}`: all past, current and pending validation periods of a
 * node.
 */
export function getValidatorDetails(context: DataContext): Endpoint {
  return list({
    ...common(context),
    path: '/v1/networks/{network}/validators/{nodeId}',
    operationId: 'getSingleValidatorDetails',
    summary: 'Past, current and pending validations of a node',
    pathParameters: { network: Names.network(context), nodeId: Names.nodeId },
    queryParameters: { validationStatus: status, sortOrder },
    read: async ({ path: { nodeId }, query, at, after, limit }) => {
      const { validationStatus, sortOrder: order } = query
      const selection = {
        nodeIds: [nodeId],
        status: validationStatus,
        after: placeOfToken(after),
        order,
        limit,
      }
      return plain(await Stakers.page(context.store, at, { role: 'validator', ...selection }))
    },
  })
}

function plain(page: readonly Stakers.Details[]): Sorted[] {
  return page.map((listed) => ({ listed, value: 0n }))
}

function keyOfSorted(one: Sorted): readonly string[] {
  const { startTime, txId, value } = startOf(one)
  return [String(startTime), Hex.encodeBare(txId), String(value)]
}

function placeOfToken(after: readonly string[] | undefined) {
  if (after === undefined) return undefined
  const [startTime = '0', txId = '', value = '0'] = after
  return { startTime: BigInt(startTime), txId: Hex.decodeBare(txId), value: BigInt(value) }
}

async function shapes(context: DataContext, at: Snapshot, page: readonly Sorted[]): Promise<Body[]> {
  const listed = page.map((one) => one.listed)
  const facts = await validatorFacts(context, at, listed, await observationsOf(context))
  return facts.map((one) => validator(one, context.constants.hrp))
}

async function observationsOf({ observations }: DataContext): Promise<ReadonlyMap<string, Observation>> {
  return (await observations?.()) ?? new Map()
}
