/**
 * How a webhook is refused whose signature is missing, malformed or wrong, always alike. The audit recognises
 * it in the history of the payment service: API Gateway has another text for the same status.
 */
export const invalidSignatureMessage = 'Invalid signature';
