import { createService } from '@firn/node-api'
import { createClient, InfoMethods, PlatformMethods } from '@firn/rpc'
import type { Session, Target } from '../Target.ts'

const NODE_ID = 'NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg'
const ID = '2W8hCuRA7896rG26WX4tWhsydaZ43LivbuH4oQ3Ptm21jMH78U'
const KEY = `0x${'00'.repeat(48)}`

/** Encodes bodies as UTF-8. */
const encode = (texts: readonly string[]): readonly Uint8Array[] =>
  texts.map((text) => new TextEncoder().encode(text))

const answer = (result: object): string => JSON.stringify({ jsonrpc: '2.0', result, id: 1 })

type Client = ReturnType<typeof createClient<typeof PlatformMethods>>

/** Methods with results of many shapes, each with a valid response. */
const METHODS: readonly {
  readonly name: string
  readonly text: string
  call(client: Client): Promise<unknown>
}[] = [
  {
    name: 'validators',
    text: answer({ [NODE_ID]: { publicKey: KEY, weight: '2000000000000000' } }),
    call: (client) => client.call('platform.getValidatorsAt', { height: 9n }),
  },
  {
    name: 'all validators',
    text: answer({
      validatorSets: {
        [ID]: { validators: [{ publicKey: KEY, weight: '1', nodeIDs: [NODE_ID] }], totalWeight: '1' },
      },
    }),
    call: (client) => client.call('platform.getAllValidatorsAt', { height: 9n }),
  },
  {
    name: 'current validators',
    text: answer({
      validators: [
        {
          txID: ID,
          startTime: '1',
          endTime: '2',
          weight: '3',
          nodeID: NODE_ID,
          potentialReward: '4',
          connected: true,
        },
        {
          nodeID: NODE_ID,
          weight: '1',
          startTime: '1',
          validationID: ID,
          publicKey: KEY,
          minNonce: '0',
          balance: '9',
        },
      ],
    }),
    call: (client) => client.call('platform.getCurrentValidators', {}),
  },
  {
    name: 'height',
    text: answer({ height: '18446744073709551615' }),
    call: (client) => client.call('platform.getHeight', {}),
  },
  {
    name: 'error',
    text: '{"jsonrpc":"2.0","error":{"code":-32000,"message":"no","data":null},"id":1}',
    call: (client) => client.call('platform.getHeight', {}),
  },
]

/** Target in which a Firn client reads hostile response bodies from a node. */
const responses: Target = {
  name: 'rpc response',
  open: () => ({
    corpus: encode(METHODS.map(({ text }) => text)),
    run: async (input) => {
      const method = METHODS[input.length % METHODS.length] ?? METHODS[0]
      const client = createClient(PlatformMethods, {
        url: 'http://127.0.0.1/ext/bc/P',
        fetch: async () => new Response(input.slice(), { status: input[1] === 0x22 ? 200 : 500 }),
      })
      await method?.call(client)
      return undefined
    },
  }),
}

/**
 * Opens a target for hostile request bodies. The server must respond to each, and no handler may fail
 * unexpectedly.
 */
const openRequests = (): Session => {
  let failed: unknown
  const onError = (error: unknown) => {
    failed = error
  }
  const handlers = {
    'info.getNetworkID': () => ({ networkID: 12_345 }),
    'info.peers': () => ({ numPeers: 0n, peers: [] }),
  }
  const service = createService(InfoMethods, handlers, { onError })
  return {
    corpus: encode([
      '{"jsonrpc":"2.0","method":"info.getNetworkID","params":{},"id":1}',
      '{"jsonrpc":"2.0","method":"info.getNetworkID","params":[{}],"id":"a"}',
      `{"jsonrpc":"2.0","method":"info.peers","params":{"nodeIDs":["${NODE_ID}"]},"id":null}`,
      '[{"jsonrpc":"2.0","method":"info.getNetworkID","id":1},{"id":2}]',
    ]),
    run: async (input) => {
      failed = undefined
      const { body } = await service.handle(input)
      if (failed !== undefined) return `a handler failed: ${String(failed)}`
      if (body !== undefined) JSON.parse(body)
      return undefined
    },
  }
}

/** Targets for both sides of JSON-RPC. */
export const rpcTargets: readonly Target[] = [responses, { name: 'rpc request', open: openRequests }]
