import { connect } from 'node:net'
import * as Quantiles from './Quantiles.ts'

/** Performance of a server in a load test. Times are in milliseconds. */
export interface Measured {
  readonly answers: number
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
  /** Body of the first response. */
  readonly sample: string
}

/** Options of {@link run}. */
export interface LoadOptions {
  readonly url: string
  /** Requests to send in turn. A request with a body is sent as a JSON POST, any other request as a GET. */
  readonly requests: readonly { readonly path: string; readonly body?: string }[]
  readonly connections: number
  readonly milliseconds: number
}

/**
 * Sends requests over several connections and returns the measured performance. Each connection waits for a
 * response before it sends the next request. Uses plain sockets, because an HTTP client would need more
 * processor time than the tested server.
 * @throws RangeError if a response does not have status 200
 */
export async function run({ url, requests, connections, milliseconds }: LoadOptions): Promise<Measured> {
  const { hostname, port, host } = new URL(url)
  const texts = requests.map(({ path, body }) =>
    Buffer.from(
      body === undefined
        ? `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`
        : `POST ${path} HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    ),
  )
  const times: number[] = []
  let asked = 0
  let sample = ''
  const begin = performance.now()
  const end = begin + milliseconds
  const one = () =>
    new Promise<void>((settle, reject) => {
      const socket = connect({ host: hostname, port: Number(port), noDelay: true })
      const answer = new Answer()
      let start = 0
      const ask = () => {
        if (performance.now() > end) return socket.end(() => settle())
        start = performance.now()
        socket.write(texts[asked++ % texts.length] as Buffer)
        return undefined
      }
      socket.on('connect', ask)
      socket.on('error', reject)
      socket.on('data', (chunk) => {
        if (!answer.add(chunk)) return
        times.push(performance.now() - start)
        if (sample === '') sample = answer.body()
        if (answer.status !== 200)
          reject(new RangeError(`status ${answer.status}: ${answer.body().slice(0, 200)}`))
        answer.clear()
        ask()
      })
    })
  await Promise.all(Array.from({ length: connections }, one))
  const [p50, p99] = [0.5, 0.99].map((q) => Quantiles.at(times, q)) as [number, number]
  // The last responses arrive after the planned end, so the rate is calculated with the actual duration.
  const seconds = (performance.now() - begin) / 1000
  return { answers: times.length, perSecond: times.length / seconds, p50, p99, sample }
}

/** Parser of one HTTP response. */
class Answer {
  status = 0
  #chunks: Buffer[] = []
  #size = 0
  /** Length of the response in bytes; undefined for a chunked response. */
  #length: number | undefined

  /** Processes a chunk. Returns whether the response is complete. */
  add(chunk: Buffer): boolean {
    if (this.#size === 0) this.#readHead(chunk)
    this.#chunks.push(chunk)
    this.#size += chunk.length
    if (this.#length !== undefined) return this.#size >= this.#length
    return this.#tail() === '\r\n0\r\n\r\n'
  }

  #readHead(chunk: Buffer): void {
    const end = chunk.indexOf('\r\n\r\n')
    const head = chunk.toString('latin1', 0, end)
    this.status = Number(head.slice(9, 12))
    const length = /content-length: (\d+)/i.exec(head)?.[1]
    this.#length = length === undefined ? undefined : end + 4 + Number(length)
  }

  #tail(): string {
    const last = this.#chunks.at(-1) as Buffer
    if (last.length >= 7) return last.toString('latin1', last.length - 7)
    return Buffer.concat(this.#chunks.slice(-3)).toString('latin1').slice(-7)
  }

  body(): string {
    const text = Buffer.concat(this.#chunks).toString('utf8')
    return text.slice(text.indexOf('\r\n\r\n') + 4)
  }

  clear(): void {
    this.#chunks = []
    this.#size = 0
  }
}
