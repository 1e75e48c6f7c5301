import { createServer } from 'node:http'
import { Hex, type Json } from '@firn/codec'
import type { Devnet } from '@firn/devnet'
import { ProofBundle, Quorum, SignedMessage, type Verification } from '@firn/warp'
import { createConfiguration } from '../configuration/Configuration.ts'
import { type AggregatorService, createAggregatorService, type ServiceOptions } from '../Service.ts'

/** An HTTP response. */
export interface Response {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: tests access members of any response body
  readonly body: any
}

/** A service that runs on a devnet, and a client for it. */
export interface Bench {
  readonly service: AggregatorService
  ask(body: object, query?: string): Promise<Response>
  post(path: string, body: object): Promise<Response>
  health(): Promise<Response>
}

/** Starts a service that uses the P-chain of a devnet. */
export async function startService(
  devnet: Devnet,
  options: Parameters<typeof createConfiguration>[0] = {},
  replacements: ServiceOptions = {},
): Promise<Bench> {
  const service = await createAggregatorService(
    createConfiguration({
      pChainApi: devnet.rpcUrl,
      apiPort: 0,
      logLevel: 'off',
      workers: 0,
      ...options,
    }),
    replacements,
  )
  const read = async (response: globalThis.Response) => ({
    status: response.status,
    body: await response.json(),
  })
  const post = async (path: string, body: object) =>
    read(await fetch(`${service.url}${path}`, { method: 'POST', body: JSON.stringify(body) }))
  return {
    service,
    post,
    ask: (body, query = '') => post(`/v1/signatureAggregator/local/aggregateSignatures${query}`, body),
    health: async () => read(await fetch(`${service.url}/health`)),
  }
}

/**
 * Verifies the signed message in a response with the proof in the same response, as a receiver of the message does.
 */
export function verify({ body }: Response, percentage = 67): Verification.Result {
  const bundle = ProofBundle.fromJSON(body.proof as Json.Json)
  return ProofBundle.verify(
    bundle,
    SignedMessage.decode(Hex.decodeBare(body.signedMessage)),
    Quorum.percent(percentage),
  )
}

/**
 * Creates an upstream that forwards all requests to a devnet, can be switched off, and can change the devnet. `answers`
 * has results by method that it returns instead.
 */
export async function createSwitch(devnet: Devnet, answers: ReadonlyMap<string, unknown> = new Map()) {
  let isDown = false
  let target = devnet
  const server = createServer(async (request, response) => {
    if (isDown) {
      response.destroy()
      return
    }
    try {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk)
      const { method, id } = JSON.parse(Buffer.concat(chunks).toString())
      if (answers.has(method)) {
        const known = JSON.stringify({ jsonrpc: '2.0', id, result: answers.get(method) })
        response.writeHead(200, { 'content-type': 'application/json' }).end(known)
        return
      }
      const answer = await fetch(`${target.rpcUrl}${request.url}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: Buffer.concat(chunks),
      })
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text())
    } catch {
      // The devnet was closed.
      response.destroy()
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    turn: (state: 'on' | 'off') => {
      isDown = state === 'off'
    },
    forwardTo: (other: Devnet) => {
      target = other
    },
    close: () => server.close(),
  }
}
