/**
 * The preset text of the deflated bodies: what events of the payment service's API document have in common,
 * in the order of its fields, with typical values. The most frequent comes last: a nearer match is shorter.
 *
 * A row names the version that it was written with. A text of this list never changes, since stored bodies
 * would become unreadable; a better one is added as the next version.
 */
export const bodyDictionaries: Readonly<Record<number, string>> = {
  1: [
    // Typical values of free-form metadata and of customers.
    '"subscription_id":"recurring":true,',
    '"invoice_id":"INV-"invoice_number":"cart_id":"cart-"session_id":"sess_',
    '"checkout_id":"customer_id":"user_id":"account_id":"plugin_version":"1.0.0",',
    '"platform":"woocommerce",',
    '"platform":"shopify","platform":"magento","platform":"prestashop","source":"web",',
    '"source":"mobile",',
    '"channel":"ios","channel":"android","locale":"en_US","locale":"en-GB","language":"en",',
    '"description":"Order #',
    '"product_id":"product_name":"product":"quantity":1,"quantity":"1",',
    '"items":[{"name":"sku":"SKU-"price":"',
    '"utm_source":"google","utm_medium":"cpc","utm_campaign":"coupon":"discount":"0.00",',
    '"shipping":"standard",',
    '"tax":"total":"note":"reference":"ref":"ip":"192.168.",',
    '"user_agent":"Mozilla/5.0 (Windows NT 10.0; Win64; x64)',
    ' AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36",',
    '"return_url":"https://www.',
    '.com/checkout/success?order=","cancel_url":"https://","site_url":"https://shop.',
    'Street, Avenue, Road, Lane, Drive,',
    ' Apt Suite London New York Paris Berlin Madrid San Los Angeles California',
    '@outlook.com","phone":"+44@yahoo.com","phone":"+49@hotmail.com","phone":"+33@icloud.com",',
    '"phone":"+1',
    '@example.com","phone":"+@gmail.com","phone":"+1',
    // Events, from the rarest to the most frequent.
    '"event_name":"transaction.chargeback","event_name":"transaction.disputed",',
    '"event_name":"transaction.updated"',
    '"event_name":"transaction.created","event_name":"transaction.failed","sandbox":true,"payload":{',
    '"status":0,"status":4,"status":3,"status":2,"currency":"JPY""currency":"CHF","currency":"CAD",',
    '"currency":"AUD"',
    '"currency":"GBP","currency":"EUR","base_currency":"EUR"}"base_currency":"GBP"}',
    '"payment_method":{"id":2,"name":"bank_transfer","card":null}"name":"paypal","name":"apple_pay",',
    '"name":"google_pay","name":"debit_card","card":{"id":"brand":"DISCOVER","brand":"AMEX",',
    '"brand":"MAESTRO",',
    '"brand":"AMERICAN_EXPRESS","brand":"MASTERCARD","fingerprint":"country_code":"CA",',
    '"country_code":"FR",',
    '"country_code":"DE","country_code":"GB","is_3d_secure":false}}}}',
    '"customer":{"id":"","city":null,"name":null,"email":null,"phone":null,"state":null,',
    '"address":null,',
    '"zip_code":null,"country_code":null},"metadata":{},"metadata":[],"metadata":null,',
    '"transaction":{"id":"',
    '"amount":"0.99","amount":"10.00","amount":"1000.00","base_amount":null,"base_currency":null},',
    '{"id":"","event_name":"transaction.refunded","sandbox":false,"payload":{"token":{"id":""},',
    '{"id":"","event_name":"transaction.paid","sandbox":false,"payload":{"token":{"id":""},',
    '"customer":{"id":"",',
    '"city":"","name":"","email":"","phone":"","state":"","address":"","zip_code":"",',
    '"country_code":"US"},',
    '"metadata":{"type":"checkout","},"transaction":{"id":"","amount":"100.00","status":1,',
    '"currency":"USD",',
    '"order_id":"","created_at":"2026-01-01T00:00:00.000000Z","base_amount":"100.00",',
    '"base_currency":"USD"},',
    '"payment_method":{"id":1,"name":"credit_card","card":{"id":"","brand":"VISA","fingerprint":"',
    '","last_digits":"0000","country_code":"US","is_3d_secure":true}}}}',
  ].join(''),
};

/** What new bodies are deflated with. */
export const dictionaryVersion = 1;
