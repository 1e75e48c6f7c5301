import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { WebhookModel } from '@firn/data-api/testing'
import { TARGET_FAULTS, type TargetFault, type TargetFaultName } from './targetFaults.ts'

/** Options of {@link startTargets}. For tests only. */
export interface TargetOptions {
  readonly host: string
  /** Returns how a target misbehaves at the next request; undefined if it does not. */
  readonly faultOf: (name: string) => TargetFaultName | undefined
  /** Verifies a message. Rejects if its signature is wrong. */
  readonly verify: (name: string, body: string, headers: Record<string, string>) => Promise<unknown>
}

/** Targets of webhooks, each with a name, on one port. For tests only. */
export interface Targets {
  url(name: string): string
  /** The messages that each webhook received, in order, by its id, with repetitions. */
  readonly told: ReadonlyMap<string, readonly WebhookModel.Told[]>
  /** What no message may cause: invalid signatures, and requests that follow redirects. */
  readonly violations: readonly string[]
  /** Number of requests by fault. */
  readonly counts: ReadonlyMap<string, number>
  /** Resolves when all messages are verified. */
  verified(): Promise<unknown>
  close(): void
}

/** Starts targets. For tests only. */
export const startTargets = async ({ host, faultOf, verify }: TargetOptions): Promise<Targets> => {
  const told = new Map<string, WebhookModel.Told[]>()
  const violations: string[] = []
  const counts = new Map<string, number>()
  const verifying = new Set<Promise<unknown>>()
  const receive = (request: IncomingMessage, response: ServerResponse, body: string) => {
    const [, kind, name = ''] = request.url?.split('/') ?? []
    if (kind !== 'target' || request.method !== 'POST') {
      violations.push(`${request.method} ${request.url}`)
      response.end()
      return
    }
    const work = verify(name, body, request.headers as Record<string, string>)
      .catch((error: unknown) => violations.push(`${name}: ${error}`))
      .finally(() => verifying.delete(work))
    verifying.add(work)
    const fault = faultOf(name)
    counts.set(fault ?? 'answers', (counts.get(fault ?? 'answers') ?? 0) + 1)
    const found: TargetFault | undefined = fault && TARGET_FAULTS[fault]
    // A target takes a message before it answers.
    if (found?.isTaken !== false) take(told, body)
    if (found === undefined) response.end()
    else found.answer(response)
  }
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('error', () => undefined)
    request.on('end', () => receive(request, response, Buffer.concat(chunks).toString()))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, host, resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    url: (name) => `http://${host}:${port}/target/${name}`,
    told,
    violations,
    counts,
    verified: () => Promise.all(verifying),
    close: () => server.close().closeAllConnections(),
  }
}

function take(told: Map<string, WebhookModel.Told[]>, body: string): void {
  const { webhookId, messageId, removed = false, event } = JSON.parse(body)
  const { blockHash, blockNumber, transactionIndex } = event.transaction
  const list = told.get(webhookId) ?? []
  told.set(webhookId, list)
  const height = Number(blockNumber)
  list.push({ id: messageId, removed, blockHash, height, index: transactionIndex })
}
