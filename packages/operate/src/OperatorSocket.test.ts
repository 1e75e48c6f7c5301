import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ClientAddress, OperatorSocket, TrustedProxies } from '@firn/http'
import { afterEach, beforeEach, expect, it } from 'vitest'
import * as OperatorAccess from './OperatorAccess.ts'

let folder: string
let path: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'firn-socket-'))
  path = join(folder, 'operator.sock')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** A server that responds with how it names the caller. */
const server = createServer((incoming, outgoing) => {
  const access = { keys: undefined, local: undefined }
  OperatorAccess.admit(incoming, access).then(
    (name) => outgoing.end(name),
    ({ code }) => outgoing.end(code),
  )
})
const ask = (headers: Record<string, string> = {}): Promise<string> =>
  new Promise((resolve, reject) => {
    const sent = request(
      { socketPath: path, path: '/', headers: { host: 'anything', ...headers } },
      (answer) => answer.setEncoding('utf8').on('data', resolve),
    )
    sent.on('error', reject).end()
  })

it('admits callers without a credential, but none that a proxy has forwarded', async () => {
  const socket = await OperatorSocket.serve(server, path)
  expect(await ask()).toBe('socket')
  expect(await ask({ 'x-forwarded-for': '203.0.113.9' })).toBe('OPERATE_CALLER')
  expect(await ask({ 'x-data-api-key': 'firn_x' })).toBe('OPERATE_KEY')
  await socket?.close()
  expect(existsSync(path)).toBe(false)
})

it('opens no socket without a path', async () => {
  expect(await OperatorSocket.serve(server, undefined)).toBeUndefined()
})

it('has the mode 0600, whatever the umask is', async () => {
  const before = process.umask(0)
  const socket = await OperatorSocket.listen(path, () => undefined).finally(() => process.umask(before))
  expect(statSync(path).mode & 0o777).toBe(0o600)
  await socket.close()
})

it('has no address, also behind counted proxies', async () => {
  let address: unknown = 'none'
  const socket = await OperatorSocket.listen(path, (connection) => {
    address = ClientAddress.find({ socket: connection, headers: {} }, TrustedProxies.create({ proxies: 2 }))
    server.emit('connection', connection)
  })
  await ask()
  expect(address).toBeUndefined()
  await socket.close()
})

it('replaces the file of a process that has ended, but not one in use or another file', async () => {
  const code = `require('node:net').createServer().listen(process.argv[1], () => process.kill(process.pid, 'SIGKILL'))`
  const child = spawn(process.execPath, ['-e', code, path])
  await once(child, 'close')
  expect(existsSync(path)).toBe(true)
  const socket = await OperatorSocket.serve(server, path)
  expect(await ask()).toBe('socket')
  const refusal = (message: RegExp) =>
    expect.objectContaining({ code: 'HTTP_SOCKET', message: expect.stringMatching(message) })
  await expect(OperatorSocket.serve(server, path)).rejects.toThrow(refusal(/another process uses it/))
  expect(await ask()).toBe('socket')
  await socket?.close()
  writeFileSync(path, 'data')
  await expect(OperatorSocket.serve(server, path)).rejects.toThrow(refusal(/is not a socket/))
  expect(existsSync(path)).toBe(true)
})

it('refuses a path that is too long, and a folder that does not exist', async () => {
  const listen = (at: string) => OperatorSocket.listen(at, () => undefined)
  await expect(listen(`/tmp/${'ä'.repeat(50)}`)).rejects.toThrow(
    /has 105 bytes, and at most 103 are possible/,
  )
  await expect(listen(join(folder, 'none', 'x.sock'))).rejects.toThrow(/its folder does not exist, or/)
})
