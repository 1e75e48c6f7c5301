import { Hex } from '@firn/codec'
import { Blocks, L1Validators } from '@firn/store'
import type { Endpoint } from '../../http/endpoint/Endpoint.ts'
import * as Field from '../../http/endpoint/Field.ts'
import { list } from '../../http/endpoint/List.ts'
import * as Parameter from '../../http/endpoint/Parameter.ts'
import * as Schema from '../../http/endpoint/Schema.ts'
import type { DataContext } from '../network/Context.ts'
import * as Names from '../network/Names.ts'
import { perBlock, primarySnapshots } from '../network/PrimarySnapshots.ts'
import { L1Validator, l1Validator } from '../shapes/L1Validator.ts'

/**
 * `GET /v1/networks/{network}/l1Validators`: L1 validators sorted by validation id, with their balances at
 * the snapshot's height.
 */
export function listL1Validators(context: DataContext): Endpoint {
  const { store, tokens, constants } = context
  return list({
    path: '/v1/networks/{network}/l1Validators',
    operationId: 'listL1Validators',
    summary: 'L1 validators with their balances',
    tag: 'Primary Network',
    scope: 'data',
    units: 20,
    version: perBlock(context),
    pathParameters: { network: Names.network(context) },
    queryParameters: {
      l1ValidationId: Parameter.optional(Names.validationId),
      includeInactiveL1Validators: Parameter.flag(false),
      nodeId: Parameter.optional(Names.nodeId),
      subnetId: Parameter.optional(Names.id),
    },
    pageSize: { fallback: 10, maximum: 100 },
    snapshots: primarySnapshots(store),
    tokens,
    responseName: 'ListL1ValidatorsResponse',
    response: {
      validators: Schema.list(L1Validator, 'L1 validators of the page'),
      blockHeight: Field.height('P-chain height at which the balances are valid'),
    },
    read: ({ query, at, after: [after] = [], limit }) =>
      L1Validators.page(store, at, {
        validationId: query.l1ValidationId,
        subnetId: query.subnetId,
        nodeId: query.nodeId,
        isInactiveToo: query.includeInactiveL1Validators,
        after: after === undefined ? undefined : Hex.decodeBare(after),
        limit,
      }),
    keyOf: ({ validator }) => [Hex.encodeBare(validator.validationId)],
    body: async (page, { at }) => {
      const { accruedFees } = await Blocks.platformState(store, at)
      const validators = page.map((one) => l1Validator(one, accruedFees, constants.hrp))
      return { validators, blockHeight: String(at.P.height) }
    },
  })
}
