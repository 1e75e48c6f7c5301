import { createServer } from 'node:net'

/** Returns a free port on the loopback address. */
export const freePort = (): Promise<number> =>
  new Promise((settle) => {
    const server = createServer()
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => settle(port))
    })
  })
