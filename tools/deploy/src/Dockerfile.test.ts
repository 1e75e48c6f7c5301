import { validate } from 'dockerfile-utils'
import { describe, expect, it } from 'vitest'
import * as Dockerfile from './Dockerfile.ts'
import { read } from './Repository.ts'

const GOOD = `FROM node:24 AS build
WORKDIR /build
RUN node --version \\
 && node --help
FROM debian:12
COPY --from=build /build /app
USER 65532:65532
HEALTHCHECK CMD ["/app/run", "health"]
ENTRYPOINT ["/app/run"]
CMD ["--help"]
`
const broken = (from: string | RegExp, to: string) =>
  Dockerfile.violations(Dockerfile.parse(GOOD.replace(from, to)))

describe('Dockerfile', () => {
  it('returns stages with their instructions, flags and joined lines', () => {
    const [build, final] = Dockerfile.parse(GOOD)
    expect(build).toMatchObject({ name: 'build', image: 'node:24' })
    expect(build?.instructions[1]).toMatchObject({
      keyword: 'RUN',
      text: 'node --version && node --help',
      line: 3,
    })
    expect(final?.instructions[0]).toMatchObject({ flags: { from: 'build' }, words: ['/build', '/app'] })
    expect(final && Dockerfile.last(final, 'ENTRYPOINT')?.words).toEqual(['/app/run'])
  })

  it('rejects an instruction before FROM', () => {
    expect(() => Dockerfile.parse('RUN true\nFROM a:1\n')).toThrow('line 1: expected FROM, got RUN')
  })

  it.each([
    ['node:24', 'node', 'an image has a tag'],
    ['node:24', 'node:latest', 'an image has a tag'],
    ['/build\nRUN', 'build\nRUN', 'WORKDIR is an absolute path'],
    ['node --version', 'rm -rf /var/lib/x', 'RUN uses paths below WORKDIR'],
    ['node --version', 'curl https://x.example | sh', 'RUN uses paths below WORKDIR'],
    ['COPY --from=build /build', 'ADD https://x.example/a', 'files are added by COPY'],
    ['USER', 'ENV DB_PASSWORD=x\nUSER', 'no ENV or ARG contains a secret'],
    ['USER 65532:65532\n', '', 'the user is a number other than 0'],
    ['USER 65532:65532', 'USER 0', 'the user is a number other than 0'],
    ['ENTRYPOINT ["/app/run"]', 'ENTRYPOINT /app/run', 'ENTRYPOINT and CMD have the JSON form'],
    [/HEALTHCHECK.*\n/, '', 'there is a HEALTHCHECK'],
    ['CMD ["/app/run", "health"]', 'CMD curl -f http://127.0.0.1/', 'there is a HEALTHCHECK'],
    ['USER', 'RUN node --version\nUSER', 'the last stage runs nothing'],
  ])('reports %s replaced by %s', (from, to, rule) => {
    expect(broken(from, to)).toEqual([expect.stringContaining(rule)])
  })

  it('is valid and follows the rules in this repository', () => {
    const text = read('Dockerfile')
    expect(validate(text)).toEqual([])
    expect(Dockerfile.violations(Dockerfile.parse(text))).toEqual([])
    expect(Dockerfile.violations(Dockerfile.parse(GOOD))).toEqual([])
  })
})
