// Sums of products as if computed in twice the working precision.

#include "la/precise.h"

#include <math.h>

double rico_dot_precise(double start, int count, const double x[], const double y[])
{
    double sum = start, low = 0.0;
    for (int i = 0; i < count; i++) {
        double product = x[i] * y[i];
        double product_error = fma(x[i], y[i], -product);

        // Knuth's exact sum: total + sum_error = sum + product
        double total = sum + product;
        double added = total - sum;
        double sum_error = (sum - (total - added)) + (product - added);

        low += product_error + sum_error;
        sum = total;
    }
    return sum + low;
}
