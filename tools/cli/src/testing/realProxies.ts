import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from '../commands/evm/freePort.ts'

/** A proxy server: its program, and the configuration that forwards everything from one port to another. */
export interface ProxyServer {
  readonly program: string
  /** Arguments for the folder with the file `configuration`. */
  readonly flags: (folder: string) => readonly string[]
  readonly configuration: (port: number, upstream: number) => string
}

const GUIDE = readFileSync(
  fileURLToPath(new URL('../../../../docs/pages/guides/proxies.md', import.meta.url)),
  'utf8',
)

/** Returns a configuration of the guide, with other ports. */
const ofGuide = (language: string) => (port: number, upstream: number) => {
  const block = new RegExp(`\n\`\`\`${language}\n(.*?)\`\`\`\n`, 's').exec(GUIDE)?.[1] ?? ''
  return block.replace('127.0.0.1:8700', `127.0.0.1:${upstream}`).replace('8080', String(port))
}

const nginx = (server: ProxyServer['configuration']): ProxyServer => ({
  program: 'nginx',
  flags: (folder) => ['-p', folder, '-c', join(folder, 'configuration'), '-e', join(folder, 'error.log')],
  configuration: (port, upstream) => `
    worker_processes 1; daemon off; pid nginx.pid;
    events { worker_connections 256; }
    http {
      access_log off; client_body_temp_path t1; proxy_temp_path t2; fastcgi_temp_path t3; uwsgi_temp_path t4; scgi_temp_path t5;
      ${server(port, upstream)}
    }`,
})

const haproxy = (configuration: ProxyServer['configuration']): ProxyServer => ({
  program: 'haproxy',
  flags: (folder) => ['-db', '-f', join(folder, 'configuration')],
  configuration,
})

const caddy: ProxyServer = {
  program: 'caddy',
  flags: (folder) => ['run', '--adapter', 'caddyfile', '--config', join(folder, 'configuration')],
  configuration: (port, upstream) => `{\n  admin off\n}\n${ofGuide('caddyfile')(port, upstream)}`,
}

/** Servers in their shortest configuration, and as the guide configures them. For tests only. */
export const PROXY_SERVERS: Readonly<Record<string, readonly [server: ProxyServer, addsHeader: boolean]>> = {
  'nginx, shortest': [
    nginx(
      (port, upstream) =>
        `server { listen ${port}; location / { proxy_pass http://127.0.0.1:${upstream}; } }`,
    ),
    false,
  ],
  'nginx of the guide': [nginx(ofGuide('nginx')), true],
  'haproxy, shortest': [
    haproxy((port, upstream) =>
      [
        'defaults\n  mode http\n  timeout connect 5s\n  timeout client 30s\n  timeout server 30s',
        `frontend in\n  bind :${port}\n  default_backend firn`,
        `backend firn\n  server firn 127.0.0.1:${upstream}\n`,
      ].join('\n'),
    ),
    false,
  ],
  'haproxy of the guide': [haproxy(ofGuide('haproxy')), true],
  'Caddy, shortest and of the guide': [caddy, true],
}

/** Returns the path of a program on this machine; undefined if it is not installed. */
export function programPath(name: string): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin']
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path))
}

/** A proxy that runs. */
export interface RunningProxy {
  readonly port: number
  close(): Promise<void>
}

/** Starts a proxy to a port, and waits until it listens. For tests only. */
export async function startProxy(server: ProxyServer, upstream: number): Promise<RunningProxy> {
  const folder = mkdtempSync(join(tmpdir(), 'firn-proxy-'))
  const port = await freePort()
  writeFileSync(join(folder, 'configuration'), server.configuration(port, upstream))
  const path = programPath(server.program) ?? server.program
  const env = { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder }
  const child = spawn(path, server.flags(folder), { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'], env })
  let output = ''
  child.stderr.on('data', (chunk) => {
    output += String(chunk)
  })
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  while (!(await listens(port))) {
    if (child.exitCode !== null) throw new Error(`${server.program} ended: ${output}`)
    await sleep(20)
  }
  return { port, close: () => stop(child, ended, folder) }
}

async function stop(child: ChildProcess, ended: Promise<void>, folder: string): Promise<void> {
  child.kill('SIGTERM')
  await ended
  rmSync(folder, { recursive: true, force: true })
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = connect(port, '127.0.0.1')
    const end = (isOpen: boolean) => {
      probe.destroy()
      resolve(isOpen)
    }
    probe.once('connect', () => end(true)).once('error', () => end(false))
  })
}
