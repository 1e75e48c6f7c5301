import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../commands/evm/freePort.ts'

/** A proxy server: its program, and the configuration that forwards everything from one port to another. */
export interface ProxyServer {
  readonly program: string
  /** Arguments for the folder with the file `configuration`. */
  readonly flags: (folder: string) => readonly string[]
  readonly configuration: (port: number, upstream: number) => string
}

const nginx = (lines: string): ProxyServer => ({
  program: 'nginx',
  flags: (folder) => ['-p', folder, '-c', join(folder, 'configuration'), '-e', join(folder, 'error.log')],
  configuration: (port, upstream) => `
    worker_processes 1; daemon off; pid nginx.pid;
    events { worker_connections 256; }
    http {
      access_log off; client_body_temp_path t1; proxy_temp_path t2; fastcgi_temp_path t3; uwsgi_temp_path t4; scgi_temp_path t5;
      server {
        listen 127.0.0.1:${port};
        location / { proxy_pass http://127.0.0.1:${upstream}; ${lines} }
      }
    }`,
})

const haproxy = (line: string): ProxyServer => ({
  program: 'haproxy',
  flags: (folder) => ['-db', '-f', join(folder, 'configuration')],
  configuration: (port, upstream) =>
    [
      'global\n  maxconn 200',
      'defaults\n  mode http\n  timeout connect 5s\n  timeout client 30s\n  timeout server 30s',
      `frontend in\n  bind 127.0.0.1:${port}\n  default_backend firn`,
      `backend firn\n${line}  server firn 127.0.0.1:${upstream}\n`,
    ].join('\n'),
})

const caddy: ProxyServer = {
  program: 'caddy',
  flags: (folder) => ['run', '--adapter', 'caddyfile', '--config', join(folder, 'configuration')],
  configuration: (port, upstream) => `{
  admin off
  auto_https off
}
http://:${port} {
  bind 127.0.0.1
  reverse_proxy 127.0.0.1:${upstream}
}
`,
}

/** Servers in their shortest configuration, and in that of the guides. For tests only. */
export const PROXY_SERVERS: Readonly<Record<string, readonly [server: ProxyServer, addsHeader: boolean]>> = {
  'nginx, shortest': [nginx(''), false],
  'nginx of the guide': [
    nginx('proxy_set_header Host $host; proxy_set_header X-Forwarded-For $remote_addr;'),
    true,
  ],
  'haproxy, shortest': [haproxy(''), false],
  'haproxy of the guide': [haproxy('  http-request del-header x-forwarded-for\n  option forwardfor\n'), true],
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
