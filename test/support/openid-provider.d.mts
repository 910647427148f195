export interface OpenIdProvider {
  issuer: string;
  client: { client_id: string; client_secret: string };
  serve(settings: { redirectUri: string }): void;
  close(): Promise<void>;
}

export function startOpenIdProvider(): Promise<OpenIdProvider>;
