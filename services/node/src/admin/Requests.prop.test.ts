import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Id, NodeId } from '@firn/codec'
import { Networks } from '@firn/genesis'
import {
  Admin,
  createAliases,
  createRoutes,
  createService,
  createVms,
  Info,
  Peers,
  type Service,
} from '@firn/node-api'
import { AdminMethods, InfoMethods } from '@firn/rpc'
import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { IDENTITY, PEERS } from '../testing/recordedNode.ts'
import { createLoggers } from './PinoLoggers.ts'

let folder: string
const failures: unknown[] = []
let services: readonly Service[]

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'firn-requests-'))
  const chains = createAliases()
  chains.add(Id.EMPTY, 'P')
  const loggers = createLoggers({ folder, display: { write: () => undefined }, now: Date.now })
  loggers.get('main')
  const vms = createVms({ folder, log: loggers.get('main') })
  const onError = (error: unknown) => failures.push(error)
  const position = { height: 0n, blockId: new Uint8Array(32), time: 0n }
  const snapshot = async () => ({ key: '', P: position, X: position, C: position })
  const context = {
    chains,
    routes: createRoutes(),
    loggers,
    genesis: { genesisId: new Uint8Array(32) } as never,
    constants: Networks.LOCAL,
    snapshot,
    isBootstrapped: () => true,
  }
  const idle = async () => undefined
  const profiler = { startCpu: idle, stopCpu: idle, memory: idle, lock: idle }
  const admin = Admin.handlers(context, { profiler, vms, config: () => ({}), workingFolder: folder })
  const parts = { identity: IDENTITY, ip: () => '', vms, primaryNetwork: async () => [] }
  const info = Info.handlers(context, { ...parts, peers: Peers.fixed({ peers: PEERS }) })
  services = [createService(AdminMethods, admin, { onError }), createService(InfoMethods, info, { onError })]
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const methods = fc.constantFrom(...Object.keys(AdminMethods), ...Object.keys(InfoMethods))
const members = fc.constantFrom(
  ...['alias', 'chain', 'endpoint', 'key', 'loggerName', 'logLevel', 'displayLevel', 'nodeIDs', 'subnetID'],
  ...['Alias', 'NODEIDS', '__proto__', 'toString'],
)
const texts = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    '',
    'P',
    'main',
    'off',
    'Verbo',
    '0x',
    '0x0',
    '__proto__',
    'constructor',
    '\ud800',
    '\u0000',
  ),
  fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Id.format(bytes)),
  fc.uint8Array({ minLength: 20, maxLength: 20 }).map((bytes) => NodeId.format(bytes)),
)
const values = fc.oneof(texts, fc.array(texts), fc.constant(null), fc.jsonValue())
const params = fc.oneof(
  fc.array(fc.tuple(members, values)).map((entries) => Object.fromEntries(entries)),
  fc.jsonValue(),
)

test('answers any arguments with a result or an expected error', async () => {
  await fc.assert(
    fc.asyncProperty(methods, params, async (method, given) => {
      const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: given }))
      for (const service of services) {
        const { body: answer = '' } = await service.handle(body)
        const { error, result } = JSON.parse(answer) as { error?: { code: number }; result?: unknown }
        expect(error === undefined ? result : error.code).toEqual(
          error === undefined ? expect.anything() : -32000,
        )
      }
      expect(failures).toEqual([])
    }),
    { numRuns: 1_000 },
  )
})
