import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FakeNode } from './fakeNode.ts'

/** Kinds of faults in the answers of a node. For tests only. */
export const FAULTS = [
  'slow',
  'cut',
  'refused',
  'failing',
  'empty',
  'nothing',
  'behind',
  'elsewhere',
  'shuffled',
  'forged',
] as const

/** One of {@link FAULTS}. */
export type Fault = (typeof FAULTS)[number]

/** Options of {@link createFaultyUpstream}. */
export interface FaultyOptions {
  /** Fraction of faulty answers, from 0 to 1. */
  readonly rate: number
  readonly faults?: readonly Fault[]
  /** Returns random numbers, uniform in [0, 1). */
  readonly random: () => number
  readonly slowMs?: number
}

/** A node behind a server that returns faulty answers. For tests only. */
export interface FaultyUpstream {
  readonly url: string
  /** Number of times that each fault occurred. */
  readonly counts: ReadonlyMap<Fault, number>
  /** Sets the fraction of faulty answers. */
  setRate(rate: number): void
  close(): Promise<void>
}

/**
 * Starts a server that forwards requests to a fake node and adds faults to the answers, on a free port of the
 * loopback address. For tests only.
 */
export async function createFaultyUpstream(node: FakeNode, options: FaultyOptions): Promise<FaultyUpstream> {
  const { random, faults = FAULTS, slowMs = 30 } = options
  let rate = options.rate
  const counts = new Map<Fault, number>()
  const pick = (): Fault | undefined => {
    if (random() >= rate) return undefined
    const fault = faults[Math.floor(random() * faults.length)] as Fault
    counts.set(fault, (counts.get(fault) ?? 0) + 1)
    return fault
  }
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () =>
      respond({ node, path: request.url ?? '', body, random, slowMs }, pick(), response),
    )
  })
  await new Promise<void>((settle) => server.listen(0, '127.0.0.1', settle))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    counts,
    setRate: (to) => {
      rate = to
    },
    close: () => closeServer(server),
  }
}

interface Exchange {
  readonly node: FakeNode
  readonly path: string
  readonly body: string
  readonly random: () => number
  readonly slowMs: number
}

function respond(exchange: Exchange, fault: Fault | undefined, response: ServerResponse): void {
  const { node, path, body, random, slowMs } = exchange
  const honest = node.answer(path, body)
  const send = (status: number, text: string) => {
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(text)
  }
  if (fault === 'refused') response.destroy()
  else if (fault === 'failing') send(random() < 0.5 ? 500 : 503, 'internal error')
  else if (fault === 'nothing') send(200, '')
  else if (fault === 'slow') setTimeout(() => send(honest.status, honest.body), slowMs * random())
  else if (fault === 'cut') {
    response.writeHead(200, { 'content-length': `${honest.body.length}` })
    response.write(honest.body.slice(0, Math.floor(honest.body.length * random())))
    setTimeout(() => response.destroy(), 1)
  } else if (fault === 'behind') send(200, node.answer(path, body, 1 + Math.floor(random() * 60)).body)
  else if (fault === undefined) send(honest.status, honest.body)
  else send(honest.status, distort(exchange, honest.body, fault))
}

/** Returns an answer that is well-formed but wrong. */
function distort({ node, path, body, random }: Exchange, honest: string, fault: Fault): string {
  const answer = JSON.parse(honest)
  const containers = answer.result?.containers as Record<string, unknown>[] | undefined
  if (fault === 'elsewhere')
    return node.answer(
      path,
      body.replace(/"(\d+)"/, () => quoted(random)),
    ).body
  if (containers === undefined) return honest
  if (fault === 'empty') containers.length = 0
  if (fault === 'shuffled') containers.splice(Math.floor(random() * containers.length), 1)
  if (fault === 'forged') forge(containers, random)
  return JSON.stringify(answer)
}

function quoted(random: () => number): string {
  return `"${Math.floor(random() * 40)}"`
}

/**
 * Replaces a container with another one under the same id, or changes a byte without updating the checksum.
 */
function forge(containers: Record<string, unknown>[], random: () => number): void {
  const [a, b] = [0, 1].map(() => containers[Math.floor(random() * containers.length)]) as [
    Record<string, unknown>,
    Record<string, unknown>,
  ]
  if (a !== b && random() < 0.5) a['id'] = b['id']
  else {
    const bytes = String(a['bytes'])
    const at = 2 + Math.floor(random() * (bytes.length - 2))
    a['bytes'] = `${bytes.slice(0, at)}${bytes[at] === '0' ? '1' : '0'}${bytes.slice(at + 1)}`
  }
}

function closeServer(server: Server): Promise<void> {
  server.closeAllConnections()
  return new Promise((settle) => server.close(() => settle()))
}
