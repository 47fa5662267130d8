// Prints each order, after reading all that the order query has about it.
package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/example/payhooks"
)

func main() {
	configuration := payhooks.NewConfiguration()
	configuration.Servers = payhooks.ServerConfigurations{{URL: os.Args[1]}}
	api := payhooks.NewAPIClient(configuration).DefaultAPI
	ctx := context.Background()
	list, _, err := api.ListOrders(ctx).UpdatedSince(time.Now().AddDate(0, 0, -1)).Limit(100).Execute()
	check(err)
	for _, listed := range list.Orders {
		order, _, err := api.GetOrder(ctx, listed.OrderId).Execute()
		check(err)
		events, _, err := api.GetOrderEvents(ctx, order.OrderId).Execute()
		check(err)
		for _, event := range events.Events {
			_, _, err = api.GetEvent(ctx, event.Id).Execute()
			check(err)
		}
		for _, transaction := range order.Transactions {
			_, _, err = api.GetTransaction(ctx, *transaction.Id.Get()).Execute()
			check(err)
		}
		fmt.Println(order.OrderId, order.Status, order.Attention, order.Sequence)
	}
	_, response, _ := api.GetOrder(ctx, "no order/1").Execute()
	fmt.Println(response.StatusCode)
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
