// What lib/testcontainers.ts uses of the package `testcontainers`, which has more than a hundred dependencies: only projects that
// import `mercadito/testcontainers` install it. `npm run ci-examples` checks this against the real types.

declare module 'testcontainers' {
  type WaitStrategy = object
  export const Wait: { forHttp(path: string, port: number): WaitStrategy }

  export interface StartedTestContainer {
    getHost(): string
    getMappedPort(port: number): number
  }
  export class AbstractStartedContainer implements StartedTestContainer {
    constructor(container: StartedTestContainer)
    getHost(): string
    getMappedPort(port: number): number
  }
  export class GenericContainer {
    constructor(image: string)
    protected environment: Record<string, string>
    withExposedPorts(...ports: number[]): this
    withEnvironment(environment: Record<string, string>): this
    withWaitStrategy(strategy: WaitStrategy): this
    start(): Promise<StartedTestContainer>
  }
}
