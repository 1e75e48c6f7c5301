import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'

/** A fake Redis server that supports the commands of the rate-limit counters. For tests only. */
export interface FakeRedis {
  readonly url: string
  /** Closes all connections and refuses new ones until {@link start} is called. */
  stop(): Promise<void>
  start(): Promise<void>
  /** While `isHanging` is true, the server accepts commands but does not answer them. */
  hang(isHanging: boolean): void
}

/** Starts a fake Redis on a free port. For tests only. */
export async function openFakeRedis(): Promise<FakeRedis> {
  const sockets = new Set<Socket>()
  const values = new Map<string, number>()
  let isHanging = false
  const open = async (port: number): Promise<Server> => {
    const server = createServer((socket) => {
      sockets.add(socket)
      socket.on('close', () => sockets.delete(socket))
      socket.on('error', () => socket.destroy())
      serve(socket, values, () => isHanging)
    })
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    return server
  }
  let server = await open(0)
  const { port } = server.address() as AddressInfo
  return {
    url: `redis://127.0.0.1:${port}`,
    hang: (next) => {
      isHanging = next
    },
    start: async () => {
      server = await open(port)
    },
    stop: async () => {
      if (!server.listening) return
      const closed = once(server, 'close')
      server.close()
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

function serve(socket: Socket, values: Map<string, number>, isHanging: () => boolean): void {
  let pending = ''
  let queue: string[] | undefined
  const run = ([name = '', key = '', amount = '0']: readonly string[]): string => {
    switch (name.toUpperCase()) {
      case 'INFO':
        return '$20\r\nredis_version:7.0.0\n\r\n'
      case 'PING':
        return '+PONG\r\n'
      case 'INCRBY':
        values.set(key, (values.get(key) ?? 0) + Number(amount))
        return `:${values.get(key)}\r\n`
      case 'PEXPIRE':
        return ':1\r\n'
      default:
        return '+OK\r\n'
    }
  }
  const answer = (command: readonly string[]): string => {
    const name = command[0]?.toUpperCase()
    if (name === 'MULTI') queue = []
    else if (name === 'EXEC') {
      const results = queue ?? []
      queue = undefined
      return `*${results.length}\r\n${results.join('')}`
    } else if (queue !== undefined) {
      queue.push(run(command))
      return '+QUEUED\r\n'
    }
    return run(command)
  }
  socket.on('data', (chunk) => {
    if (isHanging()) return
    pending += chunk.toString('latin1')
    for (;;) {
      const parsed = parse(pending)
      if (parsed === undefined) return
      pending = parsed.rest
      socket.write(answer(parsed.command))
    }
  })
}

/** Parses the first complete command of a text. A command is an array of bulk strings. */
function parse(text: string): { readonly command: readonly string[]; readonly rest: string } | undefined {
  const [, count, start = ''] = /^\*(\d+)(\r\n)/.exec(text) ?? []
  if (count === undefined) return undefined
  let at = 1 + count.length + start.length
  const command: string[] = []
  for (let i = 0; i < Number(count); i++) {
    const [head, length] = /^\$(\d+)\r\n/.exec(text.slice(at)) ?? []
    if (head === undefined) return undefined
    const [from, to] = [at + head.length, at + head.length + Number(length)]
    if (text.length < to + 2) return undefined
    command.push(text.slice(from, to))
    at = to + 2
  }
  return { command, rest: text.slice(at) }
}
