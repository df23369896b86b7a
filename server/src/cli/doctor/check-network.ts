import { X509Certificate, createPrivateKey } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { Config } from '../../config/config.ts';
import { type Proof, createProof } from '../../database/proxy-proof.ts';
import { explainError } from '../../start/explain-error.ts';
import { version } from '../../version.ts';
import { requestHealth } from '../health/check-health.ts';
import { isServerRunning } from '../open-data.ts';
import { type Finding, passed, failed } from './finding.ts';

const dayMs = 24 * 60 * 60 * 1000;
/** Remaining validity below which a certificate is reported, in days. */
const soonDays = 14;

/** Checks dates and key of the TLS certificate. */
export function checkCertificate({ certFile, keyFile }: Config, now: number): Finding[] {
  if (certFile === null || keyFile === null) return [];
  const renew = 'renew the certificate, then send the signal HUP to the server';
  let certificate: X509Certificate;
  try {
    certificate = new X509Certificate(readFileSync(certFile));
    if (!certificate.checkPrivateKey(createPrivateKey(readFileSync(keyFile)))) {
      const text = `${keyFile} is not the key of ${certFile}: the server will not start`;
      return [failed('error', 'tls', text, '--cert FILE --key FILE of the same pair')];
    }
  } catch (error) {
    const text = `${certFile} or ${keyFile} cannot be used: ${explainError(error)}`;
    return [failed('error', 'tls', text, '--cert FILE --key FILE (PEM)')];
  }
  const { validFrom, validTo, subjectAltName, subject } = certificate;
  const names = subjectAltName ?? subject.replaceAll('\n', ', ');
  if (Date.parse(validFrom) > now) {
    return [failed('error', 'tls', `${certFile} is valid from ${validFrom} only: browsers refuse it`, renew)];
  }
  const days = Math.floor((Date.parse(validTo) - now) / dayMs);
  if (days < 0)
    return [failed('error', 'tls', `${certFile} has expired on ${validTo}: browsers refuse it`, renew)];
  if (days < soonDays)
    return [failed('warn', 'tls', `${certFile} expires in ${days} days (${validTo})`, renew)];
  return [passed('tls', `${certFile}: ${names}, valid for ${days} days`)];
}

/** Returns the error of listening at the configured address; null if it is possible. */
function listenOnce({ address, port }: Config): Promise<unknown> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', resolve);
    server.listen(port, address, () => server.close(() => resolve(null)));
  });
}

/** Returns null where the data folder cannot be written, which is reported by its own check. */
function createProofIfPossible(data: string): Proof | null {
  try {
    return createProof(data);
  } catch {
    return null;
  }
}

/**
 * Reports the version of the running server, which an upgrade changes only with a restart. `running` is null if the server did
 * not report its version.
 */
function compareVersions(endpoint: string, running: string | null): Finding {
  if (running === version) return passed('server', `running at ${endpoint}, ready, version ${version}`);
  const text = `running at ${endpoint}, ready, but its version is ${running ?? 'unknown'}, and that of this program ${version}`;
  return failed('warn', 'server', text, 'restart the server after an upgrade');
}

/** Checks the server that uses the data folder, or that the configured port is free for it. */
export async function checkServer(config: Config): Promise<Finding[]> {
  const endpoint = config.socket ?? `${config.address} port ${config.port}`;
  if (isServerRunning(config)) {
    if (config.socket === null && config.port === 0)
      return [passed('server', 'running; its port is not configured, so it was not checked', 'info')];
    const proof = createProofIfPossible(config.data);
    const health = await requestHealth(config, proof?.text).finally(() => proof?.remove());
    if (health.state === 'ready' && proof === null) {
      return [
        passed(
          'server',
          `running at ${endpoint}, ready; its version is unknown, because ${config.data} cannot be written`,
        ),
      ];
    }
    if (health.state === 'ready') return [compareVersions(endpoint, health.version)];
    const fix = 'see its log; give doctor the options of the server';
    return [failed('error', 'server', `running, but ${health.reason}`, fix)];
  }
  if (config.socket !== null) {
    // The next start replaces a socket on which nothing listens.
    if (!existsSync(config.socket)) return [passed('server', `not running; ${endpoint} is free`)];
    const { state } = await requestHealth(config);
    if (state === 'nothing listens') return [passed('server', `not running; ${endpoint} is free`)];
    const text = `not running, and another program listens on ${endpoint}: the server will not start`;
    return [failed('error', 'server', text, '--socket FILE')];
  }
  const error = await listenOnce(config);
  if (error === null) return [passed('server', `not running; ${endpoint} is free`)];
  return [
    failed('error', 'server', `not running and could not start: ${explainError(error)}`, '--port NUMBER'),
  ];
}
